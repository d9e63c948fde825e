(* How far the check is: on standard error, as a line that is written over if that is a
   terminal, or as lines "progress DONE TOTAL" for another program. [tick] is trusted to
   return its second argument. *)

let total = ref 0
let lines = ref false
let live = ref false
let shown = ref 0.

let start count as_lines =
  total := count;
  lines := as_lines;
  live := as_lines || Unix.isatty Unix.stderr

let tick done_ work =
  if !live && done_ land 63 = 0 then begin
    let now = Unix.gettimeofday () in
    if now -. !shown > 0.2 then begin
      shown := now;
      if !lines then Printf.eprintf "progress %d %d\n%!" done_ !total
      else Printf.eprintf "\r\027[K%d of %d positions%!" done_ !total
    end
  end;
  work

let clear () = if !shown > 0. && not !lines then prerr_string "\r\027[K"
