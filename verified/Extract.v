(** * Extraction to OCaml

    Machine integers become OCaml's, which have 63 bits as well. Natural numbers become
    OCaml's integers too: they count points, nodes and entries, and stay far below 2^62.
    These lines are trusted. *)

From Coq Require Import Extraction ExtrOcamlBasic PrimInt63 Uint63 Arith.
Require Import Sets Board Judge Endgame Checker.

Extract Inductive nat => "int" [ "0" "Stdlib.Int.succ" ]
  "(fun zero succ n -> if n = 0 then zero () else succ (n - 1))".
Extract Inlined Constant Init.Nat.add => "(+)".
Extract Inlined Constant PeanoNat.Nat.add => "(+)".
Extract Inlined Constant Init.Nat.mul => "( * )".
Extract Inlined Constant PeanoNat.Nat.mul => "( * )".
Extract Inlined Constant Init.Nat.sub => "Uint63.monus".
Extract Inlined Constant PeanoNat.Nat.sub => "Uint63.monus".
Extract Inlined Constant Init.Nat.eqb => "Stdlib.Int.equal".
Extract Inlined Constant PeanoNat.Nat.eqb => "Stdlib.Int.equal".
Extract Inlined Constant Init.Nat.leb => "Uint63.nat_le".
Extract Inlined Constant PeanoNat.Nat.leb => "Uint63.nat_le".
Extract Inlined Constant Init.Nat.ltb => "Uint63.nat_lt".
Extract Inlined Constant PeanoNat.Nat.ltb => "Uint63.nat_lt".
Extract Inlined Constant Init.Nat.div => "Uint63.nat_div".
Extract Inlined Constant PeanoNat.Nat.div => "Uint63.nat_div".
Extract Inlined Constant Init.Nat.modulo => "Uint63.nat_mod".
Extract Inlined Constant PeanoNat.Nat.modulo => "Uint63.nat_mod".

Extract Inlined Constant PrimInt63.int => "int".
Extract Inlined Constant PrimInt63.land => "(land)".
Extract Inlined Constant PrimInt63.lor => "(lor)".
Extract Inlined Constant PrimInt63.lxor => "(lxor)".
Extract Inlined Constant PrimInt63.add => "(+)".
Extract Inlined Constant PrimInt63.sub => "(-)".
Extract Inlined Constant PrimInt63.mul => "( * )".
Extract Inlined Constant PrimInt63.lsl => "Uint63.shift_left".
Extract Inlined Constant PrimInt63.lsr => "Uint63.shift_right".
Extract Inlined Constant PrimInt63.eqb => "Stdlib.Int.equal".
Extract Inlined Constant PrimInt63.ltb => "Uint63.less".

Extraction Inline union inter diff none low lone of.

(** The program shows its progress here. *)
Extract Inlined Constant tick => "Progress.tick".

Extraction "build/checker.ml" check search judge reserve spoiled read_view proper canonical tables make_grid.
