(** * Examples

    They hold the rules against what players know, and each is proven by computation
    inside Coq: nothing here depends on the extracted program. *)

From Coq Require Import List Uint63 Lia Arith.
Require Import Rules Game Sets Board Static Judge Endgame Checker.
Import ListNotations.

(** ** Legal moves

    A position is given by the points of Black and of White. *)

Definition points (l : list nat) : int := fold_right (fun p x => union (single p) x) 0%uint63 l.

(** The legal moves of a side, and whether every block has a liberty. *)
Definition moves_of (rows columns : nat) (b w : list nat) (c : colour) : bool * list nat :=
  let g := make_grid rows columns in
  let v := read_view g (points b) (points w) in
  (proper g v, filter (mem (moves (of v c))) (seq 0 (rows * columns))).

Lemma moves_of_spec rows columns b w c l :
  rows * columns <= 63 -> moves_of rows columns b w c = (true, l) ->
  forall p, In p l <-> legal rows columns (shown (points b) (points w)) c p.
Proof.
  intros small E p. injection E as P <-.
  pose proof (read_view_right rows columns small _ _ P) as R.
  rewrite filter_In, <- (right_moves _ _ _ _ R), in_seq. split; [tauto |]. intros M. split; auto.
  apply (right_moves _ _ _ _ R) in M. destruct M as [[B _] _]. unfold on_board in B. lia.
Qed.

Ltac by_computation := apply moves_of_spec; [simpl; lia | vm_compute; reflexivity].

(** On one point nobody can move: the stone would have no liberty. *)
Example one_point : forall p, In p [] <-> legal 1 1 (shown (points []) (points [])) Black p.
Proof. by_computation. Qed.

(** [x . o]: either side would take the last liberty of the other's stone. *)
Example last_liberties_shared : forall p, In p [] <-> legal 1 3 (shown (points [0]) (points [2])) Black p.
Proof. by_computation. Qed.

(** [x . . o]: Black may play B1, next to its own stone, but not C1, the last liberty of
    White's. *)
Example beside : forall p, In p [1] <-> legal 1 4 (shown (points [0]) (points [3])) Black p.
Proof. by_computation. Qed.

(** [. x .] above [x . .]: White may not play into the corner between the black stones,
    where its stone would have no liberty. *)
Example corner : forall p, In p [1; 2; 5] <-> legal 2 3 (shown (points [0; 4]) (points [])) White p.
Proof. by_computation. Qed.

(** ** Who wins *)

Ltac decided := vm_compute; reflexivity.

Definition accepts (rows columns : nat) (turn winner : colour) : bool :=
  match check rows columns turn winner 500 0 0 0 [] with Fine _ => true | Wrong _ _ _ => false end.

Lemma accepts_wins rows columns c : accepts rows columns c c = true -> wins rows columns no_stones c.
Proof.
  unfold accepts. destruct (check rows columns c c 500 0 0 0 []) as [k |] eqn:E; [| discriminate].
  intros _. apply accepted_board in E. now apply E.
Qed.

Lemma accepts_loses rows columns c : accepts rows columns c (opponent c) = true -> loses rows columns no_stones c.
Proof.
  unfold accepts. destruct (check rows columns c (opponent c) 500 0 0 0 []) as [k |] eqn:E; [| discriminate].
  intros _. apply accepted_board in E. apply E. symmetry. apply opponent_involutive.
Qed.

Theorem one_point_is_lost : loses 1 1 no_stones Black.
Proof. apply accepts_loses. decided. Qed.

Theorem two_points_are_won : wins 1 2 no_stones Black.
Proof. apply accepts_wins. decided. Qed.

Theorem three_by_three_is_won : wins 3 3 no_stones Black.
Proof. apply accepts_wins. decided. Qed.

Theorem two_by_five_is_won : wins 2 5 no_stones Black.
Proof. apply accepts_wins. decided. Qed.

(** With the certificate of docs/certificate-format.md: the empty board and B1, and code 783
    and D2. *)
Theorem two_by_five_by_certificate : wins 2 5 no_stones Black.
Proof.
  assert (exists k, check 2 5 Black Black 100 0 0 0 [Entry 0 0 (single 1); Entry (points [6]) (points [3]) (single 8)] = Fine k)
    as (k & E) by (eexists; vm_compute; reflexivity).
  apply accepted_board in E. now apply E.
Qed.
