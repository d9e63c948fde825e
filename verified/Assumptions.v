(** What the theorem rests on, for the test to read. *)
Require Import Checker.
Print Assumptions accepted_claim.
Print Assumptions accepted_board.
