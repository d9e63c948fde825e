(* Reads a certificate and hands it to the extracted checker. This file is not verified.
   It is trusted with the header, which says what is claimed, and with the answer. It is
   not trusted with the entries: whatever it hands over, the checker accepts nothing that
   does not prove the claim. *)

open Checker

exception Refused of string

let refuse format = Printf.ksprintf (fun s -> raise (Refused s)) format
let damaged format = Printf.ksprintf (fun s -> raise (Refused ("the certificate is damaged: " ^ s))) format

external unpack : string -> int -> string = "tengen_unpack"

(* An entry takes about 120 bytes, so this is some 6 GB. *)
let most_entries = 50_000_000
let block_length = 65536

(* As many entries as tengen's own checker takes together, so that the numbers of searches
   are the same. The first segment begins with the first entry. *)
let segment = (1 lsl 20) - 1

let number text at bytes =
  let n = ref 0 in
  for i = bytes - 1 downto 0 do
    n := (!n lsl 8) lor Char.code text.[at + i]
  done;
  !n

(* Words of 64 bits, as two halves. *)
let word text at = (number text (at + 4) 4, number text at 4)

(* ---- Codes: numbers of up to 105 bits, 28 in a limb ---- *)

let limbs = 4
let limb_mask = (1 lsl 28) - 1

let add code other =
  let carry = ref 0 in
  for i = 0 to limbs - 1 do
    let s = code.(i) + other.(i) + !carry in
    code.(i) <- s land limb_mask;
    carry := s lsr 28
  done

let compare_codes a b =
  let rec from i = if i < 0 then 0 else if a.(i) <> b.(i) then compare a.(i) b.(i) else from (i - 1) in
  from (limbs - 1)

(* code := code / by, and the rest. *)
let divide code by =
  let rest = ref 0 in
  for i = limbs - 1 downto 0 do
    let x = (!rest lsl 28) lor code.(i) in
    code.(i) <- x / by;
    rest := x mod by
  done;
  !rest

let power_of_three n =
  let code = [| 1; 0; 0; 0 |] in
  for _ = 1 to n do
    let once = Array.copy code in
    add code once;
    add code once
  done;
  code

let eight_digits = 6561

let stones_of code points =
  let rest = Array.copy code and black = ref 0 and white = ref 0 and p = ref 0 in
  while !p < points do
    let digits = ref (divide rest eight_digits) in
    for i = 0 to min 8 (points - !p) - 1 do
      (match !digits mod 3 with
       | 1 -> black := !black lor (1 lsl (!p + i))
       | 2 -> white := !white lor (1 lsl (!p + i))
       | _ -> ());
      digits := !digits / 3
    done;
    p := !p + 8
  done;
  (!black, !white)

(* ---- The file ---- *)

type certificate = {
  rows : int; columns : int; turn : colour; winner : colour; limit : int;
  root_black : int; root_white : int; count : int; entries : entry list; bytes : int; checksum : string }

let colour_of = function 0 -> Black | 1 -> White | n -> damaged "there is no side %d" n
let colour_name = function Black -> "black" | White -> "white"

let read_file path =
  (try if (Unix.stat path).Unix.st_kind <> Unix.S_REG then refuse "it is not a regular file"
   with Unix.Unix_error (e, _, _) -> refuse "%s" (String.lowercase_ascii (Unix.error_message e)));
  match open_in_bin path with
  | exception Sys_error e -> refuse "%s" e
  | channel ->
    Fun.protect ~finally:(fun () -> close_in_noerr channel) (fun () ->
      try really_input_string channel (in_channel_length channel) with
      | End_of_file | Sys_error _ -> refuse "it cannot be read to its end"
      | Invalid_argument _ | Out_of_memory -> refuse "it is too large")

(* A root's word has one unused bit after each row. *)
let root_stones text at rows columns =
  let high, low = word text at in
  let set = ref 0 and seen = ref 0 in
  for r = 0 to rows - 1 do
    for c = 0 to columns - 1 do
      let place = (r * (columns + 1)) + c in
      let bit = if place < 32 then (low lsr place) land 1 else (high lsr (place - 32)) land 1 in
      if bit = 1 then begin
        set := !set lor (1 lsl ((r * columns) + c));
        incr seen
      end
    done
  done;
  let rec ones n = if n = 0 then 0 else (n land 1) + ones (n lsr 1) in
  if ones high + ones low <> !seen then damaged "the root has stones off the board or two on one point";
  !set

let read_block text count points ending before add_entry =
  let length = String.length text in
  if length < 2 * count then damaged "a block is too short";
  let moves = length - count in
  let at = ref 0 and code = [| 0; 0; 0; 0 |] in
  for i = 0 to count - 1 do
    let difference = [| 0; 0; 0; 0 |] in
    let rec digit k =
      if !at >= moves || k >= 15 then damaged "a number of a block is cut short or too long";
      let byte = Char.code text.[!at] in
      incr at;
      difference.(k / 4) <- difference.(k / 4) lor ((byte land 127) lsl (7 * (k mod 4)));
      if byte >= 128 then digit (k + 1) in
    digit 0;
    add code difference;
    if compare_codes difference ending >= 0 || compare_codes code ending >= 0 then damaged "a code is too large for the board";
    if compare_codes code !before <= 0 then damaged "its entries are not in ascending order";
    before := Array.copy code;
    let move = Char.code text.[moves + i] in
    if move >= points then damaged "a move is off the board";
    let b, w = stones_of code points in
    add_entry { entry_black = b; entry_white = w; entry_move = 1 lsl move }
  done;
  if !at <> moves then damaged "a block goes on after its entries"

let hexadecimal text = String.concat "" (List.map (fun c -> Printf.sprintf "%02x" (Char.code c)) (List.of_seq (String.to_seq text)))

let read path =
  let text = read_file path in
  let length = String.length text in
  let magic = "TENGENPF" in
  let start = String.sub text 0 (min length 8) in
  if start <> String.sub magic 0 (String.length start) then refuse "this is not a tengen certificate: it does not start with %s" magic;
  if length < 80 then refuse "the certificate is cut short: copy or make it again";
  (match number text 8 2 with
   | 1 -> ()
   | 0 -> damaged "there is no format version 0"
   | v -> refuse "the certificate has format version %d, this program reads version 1: use a newer tengen" v);
  if String.sub text 10 4 <> "nogo" then refuse "the certificate is about the game %S, only nogo is known" (String.sub text 10 4);
  if number text 18 2 <> 0 then damaged "reserved bytes of the header are not zero";
  let rows = Char.code text.[14] and columns = Char.code text.[15] in
  if rows < 1 || columns < 1 || not ((rows <= 19 && columns <= 19) || ((rows = 1 || columns = 1) && rows <= 63 && columns <= 63))
     || rows * (columns + 1) > 64
  then damaged "no certificate can be about a board of %d rows and %d columns" rows columns;
  let points = rows * columns in
  let root_black = root_stones text 32 rows columns and root_white = root_stones text 40 rows columns in
  if root_black land root_white <> 0 then damaged "the root has stones off the board or two on one point";
  let limit = number text 20 4 in
  if limit < 1 || limit > 65536 then refuse "the certificate asks for endgame searches of %d nodes, the limit is 1 to 65536" limit;
  let turn = colour_of (Char.code text.[16]) and winner = colour_of (Char.code text.[17]) in
  let high, low = word text 24 in
  if high <> 0 || low > most_entries then refuse "the certificate claims more entries than the %d that this program takes" most_entries;
  let g = make_grid rows columns in
  if not (proper g (read_view g root_black root_white)) then damaged "a block of the root has no liberty";
  let ending = power_of_three points in
  let before = ref [| -1; 0; 0; 0 |] and entries = ref [] and at = ref 48 and left = ref low and stop = length - 32 in
  while !left > 0 do
    let count = min !left block_length in
    left := !left - count;
    if stop - !at < 8 then refuse "the certificate is cut short: copy or make it again";
    let unpacked = number text !at 4 and packed = number text (!at + 4) 4 in
    if unpacked > 16 * count || packed > unpacked + (unpacked / 8) + 64 then damaged "a block has impossible lengths";
    if packed > stop - !at - 8 then refuse "the certificate is cut short: copy or make it again";
    let raw = try unpack (String.sub text (!at + 8) packed) unpacked with Failure e -> damaged "a block %s" e in
    read_block (String.sub raw 0 unpacked) count points ending before (fun e -> entries := e :: !entries);
    at := !at + 8 + packed
  done;
  if !at < stop then begin
    (* Bytes after the end, or a damaged number of entries. *)
    if Sha256.digest text stop = String.sub text stop 32 then refuse "the certificate is followed by bytes that do not belong to it"
  end;
  if Sha256.digest text stop <> String.sub text stop 32 then damaged "its checksum does not match its contents";
  { rows; columns; turn; winner; limit; root_black; root_white; count = low; entries = List.rev !entries;
    bytes = length; checksum = hexadecimal (Sha256.digest text length) }

(* ---- Words ---- *)

let diagram rows columns b w =
  String.concat "/" (List.init rows (fun i ->
    let r = rows - 1 - i in
    String.init columns (fun c ->
      let p = (r * columns) + c in
      if (b lsr p) land 1 = 1 then 'x' else if (w lsr p) land 1 = 1 then 'o' else '.')))

let explain c why =
  match why with
  | No_liberty -> "this is not a position of the game: a block has no liberty"
  | Not_canonical -> "the position is not in its canonical orientation"
  | Not_legal -> Printf.sprintf "the move is not legal for %s" (colour_name c.winner)
  | Not_settled ->
    Printf.sprintf "the certificate has no entry there and %d nodes of endgame search do not prove a win" c.limit

(* The fields of tengen's own report. *)
let json c valid positions searches nodes failure =
  Printf.printf
    "{\"game\":\"nogo\",\"size\":\"%dx%d\",\"position\":\"%s\",\"to_play\":\"%s\",\"winner\":\"%s\",\"endgame_limit\":%d,\"bytes\":%d,\"sha256\":\"%s\",\"valid\":%b,\"positions\":%d,\"endgame_searches\":%d,\"endgame_nodes\":%d%s,\"checker\":\"verified\"}\n"
    c.rows c.columns (diagram c.rows c.columns c.root_black c.root_white) (colour_name c.turn) (colour_name c.winner) c.limit c.bytes
    c.checksum valid positions searches nodes failure

let verify path as_json =
  let c = try read path with Refused e -> refuse "read certificate %s: %s" path e in
  Progress.start c.count as_json;
  let answer = check c.rows c.columns c.turn c.winner c.limit segment c.root_black c.root_white c.entries in
  Progress.clear ();
  match answer with
  | Fine k ->
    if as_json then json c true c.count k.searches k.searched ""
    else
      Printf.printf "valid: %s wins %dx%d with %s to play, %d entries, %d searches, %d nodes\n"
        (colour_name c.winner) c.rows c.columns (colour_name c.turn) c.count k.searches k.searched;
    0
  | Wrong (why, b, w) ->
    let position = diagram c.rows c.columns b w and reason = explain c why in
    if as_json then json c false 0 0 0 (Printf.sprintf ",\"failure\":{\"position\":\"%s\",\"reason\":\"%s\"}" position reason)
    else Printf.printf "not valid: in %s: %s\n" position reason;
    1

(* ---- Known answers of the format's page ---- *)

let point_name columns p = Printf.sprintf "%c%d" "ABCDEFGHJKLMNOPQRSTUVWXYZ".[p mod columns] ((p / columns) + 1)

let point_list columns set =
  let names = List.filter_map (fun p -> if (set lsr p) land 1 = 1 then Some (point_name columns p) else None) (List.init 63 Fun.id) in
  if names = [] then "–" else String.concat " " names

let examine position side limit =
  let lines = List.rev (String.split_on_char '/' position) in
  let rows = List.length lines and columns = String.length (List.hd lines) in
  if columns = 0 || rows * columns > 63 then refuse "%S is not a position of 1 to 63 points" position;
  let b = ref 0 and w = ref 0 in
  List.iteri (fun r line ->
    if String.length line <> columns then refuse "the rows of %S have different lengths" position;
    String.iteri (fun c ch ->
      let bit = 1 lsl ((r * columns) + c) in
      match ch with
      | 'x' -> b := !b lor bit
      | 'o' -> w := !w lor bit
      | '.' -> ()
      | _ -> refuse "%C in %S is neither x nor o nor a point" ch position) line) lines;
  let c = match side with "b" -> Black | "w" -> White | _ -> refuse "the side is b or w, not %S" side in
  let g = make_grid rows columns in
  let v = read_view g !b !w in
  if not (proper g v) then refuse "a block of %S has no liberty" position;
  let name = function Won -> "won" | Lost -> "lost" | Unknown -> "unknown" in
  match limit with
  | Some limit ->
    let r, nodes = search g limit v c in
    Printf.printf "%s %d\n" (name r) nodes
  | None ->
    let o = opponent c in
    let size set = List.length (List.filter (fun p -> (set lsr p) land 1 = 1) (List.init 63 Fun.id)) in
    let moves c = (match c with Black -> v.black | White -> v.white).moves in
    let mine, my_firm = reserve g v c and theirs, their_firm = reserve g v o in
    let r, weight = judge g v c in
    Printf.printf "%d | %s | %d | %d | %s | %d | %s | %s\n" (size mine) (point_list columns my_firm)
      (size (moves c) - spoiled g v c their_firm) (size theirs) (point_list columns their_firm)
      (size (moves o) - spoiled g v o my_firm) (name r)
      (if r = Unknown then string_of_int (weight - size (moves c)) else "–")

(* ---- A certificate as a theorem ----

   The file that this writes is checked by Coq alone: it computes the check itself. *)

let theorem path name =
  let c = try read path with Refused e -> refuse "read certificate %s: %s" path e in
  if c.root_black <> 0 || c.root_white <> 0 then refuse "the root of %s has stones, and only empty boards become theorems" path;
  let letter ch = (ch >= 'a' && ch <= 'z') || ch = '_' in
  if name = "" || not (letter name.[0]) || not (String.for_all (fun ch -> letter ch || (ch >= '0' && ch <= '9')) name)
  then refuse "%S is no name of a theorem: use small letters, digits and _" name;
  let side c = String.capitalize_ascii (colour_name c) in
  Printf.printf
    "From Coq Require Import List Uint63.\nRequire Import Rules Checker.\nImport ListNotations.\nOpen Scope uint63_scope.\n\nDefinition entries : list entry := [";
  List.iteri (fun i e ->
    Printf.printf "%s\n  Entry 0x%x 0x%x 0x%x" (if i = 0 then "" else ";") e.entry_black e.entry_white e.entry_move) c.entries;
  Printf.printf "].\n\nTheorem %s : %s %d %d no_stones %s.\nProof.\n" name (if c.turn = c.winner then "wins" else "loses") c.rows c.columns (side c.turn);
  Printf.printf "  assert (exists k, check %d %d %s %s %d (100 * 100) 0 0 entries = Fine k) as (k & E) by (eexists; vm_compute; reflexivity).\n"
    c.rows c.columns (side c.turn) (side c.winner) c.limit;
  Printf.printf "  apply accepted_board in E. now apply E.\nQed.\n\nPrint Assumptions %s.\n" name

let usage = "usage: tengen-verified [--json] FILE, tengen-verified judge POSITION b|w, tengen-verified search POSITION b|w LIMIT, tengen-verified theorem FILE NAME"

let () =
  let code =
    try
      match List.tl (Array.to_list Sys.argv) with
      | [ "judge"; position; side ] -> examine position side None; 0
      | [ "search"; position; side; limit ] ->
        (match int_of_string_opt limit with
         | Some n when n >= 1 && n <= 65536 -> examine position side (Some n); 0
         | _ -> refuse "the limit is a number from 1 to 65536, not %S" limit)
      | [ "theorem"; path; name ] -> theorem path name; 0
      | [ "--json"; path ] -> verify path true
      | [ path ] when path = "" || path.[0] <> '-' -> verify path false
      | _ -> refuse "%s" usage
    with
    | Refused e -> Printf.eprintf "tengen-verified: %s\n" e; 2
    | Stack_overflow | Out_of_memory -> prerr_endline "tengen-verified: there is not enough memory for this certificate"; 3
  in
  exit code
