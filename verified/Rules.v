(** * The rules of NoGo

    This file is the specification. The theorem about certificates, at the end of
    [Checker.v], says that a side wins a position in the sense of this file. All that a
    reader has to believe about the game is here. *)

From Coq Require Import Arith.

Inductive colour := Black | White.

Definition opponent (c : colour) : colour :=
  match c with Black => White | White => Black end.

Section Rules.

(** ** The board

    Points are numbered row by row from the bottom left, from 0. *)

Variables rows columns : nat.

Definition point := nat.

Definition on_board (p : point) : Prop := p < rows * columns.

Definition row (p : point) : nat := p / columns.
Definition column (p : point) : nat := p mod columns.

Definition differ_by_one (a b : nat) : Prop := a = b + 1 \/ b = a + 1.

(** Two points are adjacent if they are neighbours in a row or in a column. *)
Definition adjacent (p q : point) : Prop :=
  (row p = row q /\ differ_by_one (column p) (column q)) \/
  (column p = column q /\ differ_by_one (row p) (row q)).

(** ** Positions

    A position says for every point which stone is there, if any. What it says about
    numbers that are no points does not matter. *)

Definition position := point -> option colour.

Definition stone (s : position) (c : colour) (p : point) : Prop := on_board p /\ s p = Some c.
Definition empty (s : position) (p : point) : Prop := on_board p /\ s p = None.

(** [linked within p q]: one can walk from [p] to [q] along the lines of the board, on
    points of [within] alone. The block of a stone of colour [c] at [p] is the set of the
    points [q] with [linked (stone s c) p q]. *)
Inductive linked (within : point -> Prop) : point -> point -> Prop :=
| linked_start p : within p -> linked within p p
| linked_step p q r : linked within p q -> adjacent q r -> within r -> linked within p r.

(** A liberty of a block is an empty point adjacent to one of its stones. *)
Definition has_liberty (s : position) (c : colour) (p : point) : Prop :=
  exists q r, linked (stone s c) p q /\ adjacent q r /\ empty s r.

(** Every block of either colour has a liberty. *)
Definition alive (s : position) : Prop :=
  forall c p, stone s c p -> has_liberty s c p.

(** ** Moves

    A move puts a stone on an empty point. It is legal if afterwards every block of
    either colour has a liberty. *)

Definition play (s : position) (c : colour) (p : point) : position :=
  fun q => if q =? p then Some c else s q.

Definition legal (s : position) (c : colour) (p : point) : Prop :=
  empty s p /\ alive (play s c p).

(** ** Who wins

    [wins s c]: the side [c], which is to move in [s], can force a win. [loses s c]: the
    side [c], which is to move in [s], loses whatever it does. Nobody passes, and whoever
    cannot move loses: then [loses s c] holds because there is no [p] to look at. *)

Inductive wins : position -> colour -> Prop :=
| wins_by s c p : legal s c p -> loses (play s c p) (opponent c) -> wins s c
with loses : position -> colour -> Prop :=
| loses_if s c : (forall p, legal s c p -> wins (play s c p) (opponent c)) -> loses s c.

End Rules.

(** The board without stones. *)
Definition no_stones : position := fun _ => None.
