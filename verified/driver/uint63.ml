(* What the extracted program computes with. This file is trusted. *)

(* Machine integers: OCaml's have 63 bits, and overflow wraps. *)

let[@inline] of_int (x : int) = x

(* OCaml leaves shifts by 63 and more undefined. *)
let[@inline] shift_left x n = if n >= 0 && n < 63 then x lsl n else 0
let[@inline] shift_right x n = if n >= 0 && n < 63 then x lsr n else 0

(* Without a sign. *)
let[@inline] less (x : int) (y : int) = x lxor min_int < y lxor min_int

(* Natural numbers: never negative, division by 0 as Coq has it. *)

let[@inline] monus (x : int) (y : int) = if x > y then x - y else 0
let[@inline] nat_le (x : int) (y : int) = x <= y
let[@inline] nat_lt (x : int) (y : int) = x < y
let[@inline] nat_div x y = if y = 0 then 0 else x / y
let[@inline] nat_mod x y = if y = 0 then x else x mod y
