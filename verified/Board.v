(** * Positions as machine integers

    Flood fill by shifts, blocks as lists of their liberties, and legal moves, each proven
    equal to [Rules.v]. *)

From Coq Require Import Arith Lia List ZArith Bool Uint63.
Require Import Rules Game Sets.
Import ListNotations.

(** ** The board *)

(** The members of a set below [n], given by a test. *)
Fixpoint set_of (f : nat -> bool) (n : nat) : int :=
  match n with
  | O => 0%uint63
  | S m => if f m then union (single m) (set_of f m) else set_of f m
  end.

Lemma mem_set_of f n p : n <= 63 -> mem (set_of f n) p = (p <? n) && f p.
Proof.
  induction n as [| n IH]; intros H; simpl set_of.
  - apply mem_0.
  - destruct (f n) eqn:F; [rewrite mem_union, mem_single by lia |]; rewrite IH by lia;
    destruct (Nat.eqb_spec p n) as [-> | N];
    repeat match goal with |- context [?a <? ?b] => destruct (Nat.ltb_spec a b) end;
    rewrite ?F; simpl; auto; lia.
Qed.

Fixpoint int_of (n : nat) : int :=
  match n with O => 0%uint63 | S m => (int_of m + 1)%uint63 end.

Lemma int_of_spec n : n <= 63 -> to_Z (int_of n) = Z.of_nat n.
Proof.
  induction n as [| n IH]; intros H; simpl int_of.
  - apply to_Z_0.
  - rewrite add_spec, IH, to_Z_1, wB_pow by lia. rewrite Z.mod_small; lia.
Qed.

Record grid := Grid {
  width : int;      (* columns *)
  whole : int;      (* all points *)
  not_first : int;  (* all but the first column *)
  not_last : int    (* all but the last column *)
}.

Definition make_grid (rows columns : nat) : grid :=
  let n := rows * columns in
  {| width := int_of columns;
     whole := set_of (fun _ => true) n;
     not_first := set_of (fun p => negb (p mod columns =? 0)) n;
     not_last := set_of (fun p => negb (S (p mod columns) =? columns)) n |}.

(** The points next to a point of [x]. *)
Definition next (g : grid) (x : int) : int :=
  inter (union (union (inter x (not_last g) << 1) (inter x (not_first g) >> 1))
               (union (x << width g) (x >> width g)))%uint63 (whole g).

(** Flood fill: what can be reached from [part] within [ground]. *)
Fixpoint flood_with (f : fuel) (g : grid) (ground part : int) : int :=
  let grown := inter (union part (next g part)) ground in
  if (grown =? part)%uint63 then part
  else match f with
  | Out => part
  | More h => flood_with h g ground grown
  end.

Definition flood (g : grid) (ground part : int) : int := flood_with full g ground part.

(** ** Views

    A view is a position as the program keeps it. *)

Record side := Side {
  stones : int;
  libs : list int;  (* the liberties of each block *)
  moves : int       (* legal moves *)
}.

Record view := View { black : side; white : side; free : int }.

Definition of (v : view) (c : colour) : side := match c with Black => black v | White => white v end.

(** The points of the lists with a single member, and of the others. *)
Fixpoint last_liberties (ls : list int) : int :=
  match ls with
  | [] => 0%uint63
  | l :: r => if lone l then union l (last_liberties r) else last_liberties r
  end.

Fixpoint strong_liberties (ls : list int) : int :=
  match ls with
  | [] => 0%uint63
  | l :: r => if lone l then strong_liberties r else union l (strong_liberties r)
  end.

Definition allowed (free roomy : int) (mine theirs : list int) : int :=
  diff (inter free (union roomy (strong_liberties mine))) (last_liberties theirs).

Definition make_view (g : grid) (bs ws : int) (bl wl : list int) (free : int) : view :=
  let roomy := next g free in
  {| black := {| stones := bs; libs := bl; moves := allowed free roomy bl wl |};
     white := {| stones := ws; libs := wl; moves := allowed free roomy wl bl |};
     free := free |}.

Fixpoint merge (ls : list int) (b joined : int) : list int :=
  match ls with
  | [] => [joined]
  | l :: r => if none (inter l b) then l :: merge r b joined else merge r b (union joined (diff l b))
  end.

(** After a move of [c] on the only point of [b]. *)
Definition play_view (g : grid) (v : view) (c : colour) (b : int) : view :=
  let free' := diff (free v) b in
  let near := inter (next g b) free' in
  match c with
  | Black => make_view g (union (stones (black v)) b) (stones (white v))
               (merge (libs (black v)) b near) (map (fun l => diff l b) (libs (white v))) free'
  | White => make_view g (stones (black v)) (union (stones (white v)) b)
               (map (fun l => diff l b) (libs (black v))) (merge (libs (white v)) b near) free'
  end.

(** The liberties of the blocks that meet [rest]. *)
Fixpoint read_libs (f : fuel) (g : grid) (all rest free : int) : list int :=
  if none rest then []
  else match f with
  | Out => []
  | More h => let part := flood g all (low rest) in
              inter (next g part) free :: read_libs h g all (diff rest part) free
  end.

Definition read_view (g : grid) (b w : int) : view :=
  let free := diff (whole g) (union b w) in
  make_view g b w (read_libs full g b b free) (read_libs full g w w free) free.

(** Stones on the board, no two on a point, and no block without a liberty. *)
Definition proper (g : grid) (v : view) : bool :=
  none (diff (union (stones (black v)) (stones (white v))) (whole g)) &&
  none (inter (stones (black v)) (stones (white v))) &&
  forallb (fun l => negb (none l)) (libs (black v)) &&
  forallb (fun l => negb (none l)) (libs (white v)).

(** * Proofs *)

Section Board.

Variables rows columns : nat.
Hypothesis small : rows * columns <= 63.

Notation on_board := (on_board rows columns).
Notation adjacent := (adjacent columns).
Notation linked := (linked columns).
Notation stone := (stone rows columns).
Notation empty := (empty rows columns).
Notation has_liberty := (has_liberty rows columns).
Notation alive := (alive rows columns).
Notation legal := (legal rows columns).

Let g := make_grid rows columns.

Lemma mem_whole p : mem (whole g) p = true <-> on_board p.
Proof.
  unfold g, make_grid, Rules.on_board. cbn [whole]. rewrite mem_set_of by auto.
  rewrite andb_true_r. apply Nat.ltb_lt.
Qed.

Lemma adjacent_cases p q :
  columns <> 0 ->
  (adjacent p q <->
   (q = p + 1 /\ S (p mod columns) <> columns) \/ (p = q + 1 /\ p mod columns <> 0) \/
   q = p + columns \/ p = q + columns).
Proof.
  intros C. unfold Rules.adjacent, differ_by_one, row, column.
  pose proof (Nat.div_mod p columns C) as P. pose proof (Nat.div_mod q columns C) as Q.
  pose proof (Nat.mod_upper_bound p columns C) as Pb. pose proof (Nat.mod_upper_bound q columns C) as Qb.
  split.
  - intros [[R [D | D]] | [R [D | D]]].
    + right. left. rewrite R in P. lia.
    + left. rewrite R in P. lia.
    + right. right. right. rewrite D in P. lia.
    + right. right. left. rewrite D in Q. lia.
  - intros [[E N] | [[E N] | [E | E]]].
    + left.
      assert (q = columns * (p / columns) + (p mod columns + 1)) as Q' by lia.
      rewrite <- (Nat.div_unique q columns (p / columns) (p mod columns + 1)) by lia.
      rewrite <- (Nat.mod_unique q columns (p / columns) (p mod columns + 1)) by lia. auto.
    + left.
      assert (q = columns * (p / columns) + (p mod columns - 1)) as Q' by lia.
      rewrite <- (Nat.div_unique q columns (p / columns) (p mod columns - 1)) by lia.
      rewrite <- (Nat.mod_unique q columns (p / columns) (p mod columns - 1)) by lia.
      split; auto. left. lia.
    + right.
      assert (q = columns * (p / columns + 1) + p mod columns) as Q' by lia.
      rewrite <- (Nat.div_unique q columns (p / columns + 1) (p mod columns)) by lia.
      rewrite <- (Nat.mod_unique q columns (p / columns + 1) (p mod columns)) by lia. auto.
    + right.
      assert (p = columns * (q / columns + 1) + q mod columns) as P' by lia.
      rewrite <- (Nat.div_unique p columns (q / columns + 1) (q mod columns)) by lia.
      rewrite <- (Nat.mod_unique p columns (q / columns + 1) (q mod columns)) by lia. auto.
Qed.

Lemma columns_bound : rows <> 0 -> columns <= 63.
Proof. intros. nia. Qed.

Lemma mem_next x q :
  (forall p, mem x p = true -> on_board p) ->
  (mem (next g x) q = true <-> on_board q /\ exists p, mem x p = true /\ adjacent p q).
Proof.
  intros X. unfold next. rewrite mem_inter, andb_true_iff, mem_whole.
  split; intros [H B]; [split; [exact B |] | split; [| exact H]].
  - assert (rows <> 0 /\ columns <> 0) as [R C] by (unfold Rules.on_board in *; nia).
    pose proof (columns_bound R) as W.
    rewrite !mem_union, !orb_true_iff in H.
    rewrite (mem_shl _ _ 1), (mem_shr _ _ 1), (mem_shl _ _ columns), (mem_shr _ _ columns) in H
      by (try reflexivity; now apply int_of_spec).
    rewrite !mem_inter, !andb_true_iff in H. unfold g, make_grid in H. cbn [not_first not_last] in H.
    rewrite !mem_set_of in H by auto. rewrite !andb_true_iff, !negb_true_iff, !Nat.ltb_lt, !Nat.leb_le, !Nat.eqb_neq in H.
    destruct H as [[(_ & L & M & _ & N) | (M & _ & N)] | [(_ & L & M) | M]].
    + exists (q - 1). split; auto. apply adjacent_cases; auto. left. lia.
    + exists (q + 1). split; auto. apply adjacent_cases; auto.
    + exists (q - columns). split; auto. apply adjacent_cases; auto. lia.
    + exists (q + columns). split; auto. apply adjacent_cases; auto.
  - destruct B as (p & M & A).
    assert (rows <> 0 /\ columns <> 0) as [R C] by (unfold Rules.on_board in *; nia).
    pose proof (columns_bound R) as W. pose proof (X p M) as Bp.
    unfold Rules.on_board in *.
    rewrite !mem_union, !orb_true_iff.
    rewrite (mem_shl _ _ 1), (mem_shr _ _ 1), (mem_shl _ _ columns), (mem_shr _ _ columns)
      by (try reflexivity; now apply int_of_spec).
    rewrite !mem_inter, !andb_true_iff. unfold g, make_grid. cbn [not_first not_last].
    rewrite !mem_set_of by auto. rewrite !andb_true_iff, !negb_true_iff, !Nat.ltb_lt, !Nat.leb_le, !Nat.eqb_neq.
    apply adjacent_cases in A; auto. destruct A as [[-> N] | [[-> N] | [-> | ->]]].
    + left. left. replace (p + 1 - 1) with p by lia. repeat split; auto; lia.
    + left. right. repeat split; auto; lia.
    + right. left. replace (p + columns - columns) with p by lia. repeat split; auto; lia.
    + right. right. auto.
Qed.

Lemma next_on_board x q : mem (next g x) q = true -> on_board q.
Proof. unfold next. rewrite mem_inter, andb_true_iff, mem_whole. tauto. Qed.

(** ** Flood fill *)

Notation within x := (fun p => mem x p = true).

Lemma flood_sound f ground part q :
  (forall p, mem ground p = true -> on_board p) -> (forall p, mem part p = true -> mem ground p = true) ->
  mem (flood_with f g ground part) q = true ->
  exists p, mem part p = true /\ linked (within ground) p q.
Proof.
  intros B. revert part. induction f as [| f IH]; intros part P; simpl; destruct (eqb _ _) eqn:E; intros M;
  try (exists q; split; [exact M | constructor; auto]; fail).
  apply IH in M.
  - destruct M as (p & M & L). rewrite mem_inter, mem_union, andb_true_iff, orb_true_iff in M.
    destruct M as [[M | M] G].
    + exists p. auto.
    + apply mem_next in M; [| auto]. destruct M as [_ (r & M & A)]. exists r. split; auto.
      apply linked_before with (q := p); auto.
  - intros p. rewrite mem_inter, andb_true_iff. tauto.
Qed.

Lemma flood_part f ground part q :
  (forall p, mem part p = true -> mem ground p = true) ->
  mem part q = true -> mem (flood_with f g ground part) q = true.
Proof.
  revert part. induction f as [| f IH]; intros part P M; simpl; destruct (eqb _ _); auto.
  apply IH; [intros p |]; rewrite mem_inter, mem_union, andb_true_iff; [tauto |].
  rewrite M. simpl. auto.
Qed.

Lemma flood_closed f ground part :
  (forall p, mem part p = true -> mem ground p = true) ->
  63 < count (mem part) + amount f ->
  let r := flood_with f g ground part in inter (union r (next g r)) ground = r.
Proof.
  revert part. induction f as [| f IH]; intros part P H; simpl; destruct (eqb _ _) eqn:E;
  try (now apply eqb_spec).
  - simpl in H. pose proof (count_bound (mem part)). lia.
  - apply IH; [intros p; rewrite mem_inter, andb_true_iff; tauto |].
    set (grown := inter (union part (next g part)) ground) in *.
    assert (forall p, mem part p = true -> mem grown p = true) as Sub.
    { intros p M. unfold grown. rewrite mem_inter, mem_union, M. simpl. auto. }
    assert (none (diff grown part) = false) as N.
    { destruct (none (diff grown part)) eqn:N; auto. rewrite none_subset in N.
      apply eqb_false_spec in E. exfalso. apply E. apply mem_ext. intros p.
      specialize (Sub p). specialize (N p). destruct (mem grown p), (mem part p); auto.
      symmetry. auto. }
    apply not_none in N. destruct N as (p & N). rewrite mem_diff in N.
    apply andb_true_iff in N. destruct N as [N1 N2].
    assert (S (count (mem part)) <= count (mem grown)).
    { rewrite (count_remove (mem grown) p); auto; [| now apply (mem_bound grown)].
      apply le_n_S. apply count_mono. intros q _ M. rewrite (Sub q M). simpl.
      destruct (Nat.eqb_spec q p) as [-> |]; auto. now rewrite M in N2. }
    simpl in H. lia.
Qed.

Lemma mem_flood ground part q :
  (forall p, mem ground p = true -> on_board p) -> (forall p, mem part p = true -> mem ground p = true) ->
  (mem (flood g ground part) q = true <-> exists p, mem part p = true /\ linked (within ground) p q).
Proof.
  intros B P. split.
  - now apply flood_sound.
  - intros (p & M & L).
    assert (63 < count (mem part) + amount full) as F by (rewrite amount_full; lia).
    set (r := flood g ground part).
    assert (inter (union r (next g r)) ground = r) as C by exact (flood_closed full ground part P F).
    assert (forall x, mem r x = true -> mem ground x = true) as R.
    { intros x. rewrite <- C, mem_inter, andb_true_iff. tauto. }
    apply (linked_closed columns (within r) (within ground) p q); auto.
    + intros x y Mx A My. rewrite <- C, mem_inter, mem_union, My, andb_true_r, orb_true_iff. right.
      apply mem_next; [auto |]. split; [now apply B |]. exists x. auto.
    + now apply flood_part.
Qed.

(** ** Blocks *)

(** [l] is the set of the liberties of the block at [p]. *)
Definition liberties (s : position) (c : colour) (p : point) (l : int) : Prop :=
  forall q, mem l q = true <-> empty s q /\ exists r, linked (stone s c) p r /\ adjacent r q.

(** [ls] lists the liberties of each block of [c]. *)
Definition blocks (s : position) (c : colour) (ls : list int) : Prop :=
  (forall p, stone s c p -> exists l, In l ls /\ liberties s c p l) /\
  (forall l, In l ls -> exists p, stone s c p /\ liberties s c p l).

Lemma liberties_linked s c p q l : linked (stone s c) p q -> liberties s c p l -> liberties s c q l.
Proof.
  intros L H x. rewrite (H x). split; intros [E (r & R & A)]; split; auto; exists r; split; auto.
  - apply linked_trans with (q := p); auto. now apply linked_sym.
  - now apply linked_trans with (q := q).
Qed.

Lemma liberties_alive s c p l : liberties s c p l -> (has_liberty s c p <-> none l = false).
Proof.
  intros H. split.
  - intros (q & r & L & A & E). destruct (none l) eqn:N; auto. rewrite none_spec in N.
    rewrite <- (N r). symmetry. apply H. split; auto. exists q. auto.
  - intros N. apply not_none in N. destruct N as (r & M). apply H in M.
    destruct M as [E (q & L & A)]. exists q, r. auto.
Qed.

Lemma mem_last ls p : mem (last_liberties ls) p = true <-> exists l, In l ls /\ lone l = true /\ mem l p = true.
Proof.
  induction ls as [| l ls IH]; simpl.
  - rewrite mem_0. split; [discriminate |]. intros (l & [] & _).
  - destruct (lone l) eqn:L; rewrite ?mem_union, ?orb_true_iff, IH; split.
    + intros [M | (k & I & K)]; [exists l | exists k]; auto.
    + intros (k & [<- | I] & K); [left; tauto | right; eauto].
    + intros (k & I & K). exists k. auto.
    + intros (k & [<- | I] & K & M); [congruence | eauto].
Qed.

Lemma mem_strong ls p : mem (strong_liberties ls) p = true <-> exists l, In l ls /\ lone l = false /\ mem l p = true.
Proof.
  induction ls as [| l ls IH]; simpl.
  - rewrite mem_0. split; [discriminate |]. intros (l & [] & _).
  - destruct (lone l) eqn:L; rewrite ?mem_union, ?orb_true_iff, IH; split.
    + intros (k & I & K). exists k. auto.
    + intros (k & [<- | I] & K & M); [congruence | eauto].
    + intros [M | (k & I & K)]; [exists l | exists k]; auto.
    + intros (k & [<- | I] & K); [left; tauto | right; eauto].
Qed.

(** ** Blocks after a move *)

Lemma stone_play s c p d q : empty s p -> stone (play s c p) d q <-> stone s d q \/ (q = p /\ d = c).
Proof.
  intros [B E]. unfold Rules.stone, play. destruct (Nat.eqb_spec q p) as [-> | N].
  - split.
    + intros [_ H]. right. split; congruence.
    + intros [[_ H] | [_ ->]]; [congruence | auto].
  - split; [tauto |]. intros [H | [H _]]; [auto | contradiction].
Qed.

Lemma empty_play s c p q : empty (play s c p) q <-> empty s q /\ q <> p.
Proof.
  unfold Rules.empty, play. destruct (Nat.eqb_spec q p) as [-> | N]; split; intros H; intuition congruence.
Qed.

(** The other side's blocks stay as they are. *)
Lemma linked_play_other s c p x r :
  empty s p -> linked (stone (play s c p) (opponent c)) x r <-> linked (stone s (opponent c)) x r.
Proof.
  intros E. split; apply linked_mono; intros q; rewrite stone_play by auto.
  - intros [| [_ H]]; auto. exfalso. now apply (opponent_neq c).
  - auto.
Qed.

(** The new block is the new stone and the blocks next to it. *)
Lemma linked_play_new s c p r :
  empty s p -> linked (stone (play s c p) c) p r ->
  r = p \/ exists x, adjacent p x /\ linked (stone s c) x r.
Proof.
  intros E L. remember p as a in L at 2. induction L as [a Sa | a q r L IH A Sr]; auto.
  subst a. specialize (IH eq_refl). apply stone_play in Sr; auto.
  destruct Sr as [Sr | [-> _]]; auto.
  right. destruct IH as [-> | (x & X & Lx)].
  - exists r. split; auto. now constructor.
  - exists x. split; auto. apply linked_step with (q := q); auto.
Qed.

Lemma linked_play_before s c p x r : empty s p -> linked (stone s c) x r -> linked (stone (play s c p) c) x r.
Proof. intros E. apply linked_mono. intros q H. apply stone_play; auto. Qed.

(** A block away from the move stays as it is. *)
Lemma linked_play_away s c p x r :
  empty s p -> stone s c x -> (forall q, linked (stone s c) x q -> ~ adjacent q p) ->
  linked (stone (play s c p) c) x r -> linked (stone s c) x r.
Proof.
  intros E S N L.
  apply (linked_closed columns (fun r => linked (stone s c) x r) (stone (play s c p) c) x); auto.
  - intros a b La Ab Sb. apply stone_play in Sb; auto. destruct Sb as [Sb | [-> _]].
    + apply linked_step with (q := a); auto.
    + exfalso. now apply (N a).
  - now constructor.
Qed.

Lemma linked_play_join s c p x :
  empty s p -> stone s c x -> (exists r, linked (stone s c) x r /\ adjacent r p) ->
  linked (stone (play s c p) c) x p.
Proof.
  intros E S (r & L & A). apply linked_step with (q := r); auto.
  - now apply linked_play_before.
  - apply stone_play; auto.
Qed.

(** ** Legal moves *)

Section Legal.

Variables (s : position) (c : colour) (mine theirs : list int) (empties : int).
Hypothesis living : alive s.
Hypothesis mine_right : blocks s c mine.
Hypothesis theirs_right : blocks s (opponent c) theirs.
Hypothesis empties_right : forall p, mem empties p = true <-> empty s p.

Lemma mem_allowed p : mem (allowed empties (next g empties) mine theirs) p = true <-> legal s c p.
Proof.
  assert (forall d q l, stone s d q -> liberties s d q l -> none l = false) as filled.
  { intros d q l S L. apply (liberties_alive _ _ _ _ L). now apply living. }
  unfold allowed. rewrite mem_diff, mem_inter, mem_union, !andb_true_iff, orb_true_iff, empties_right, negb_true_iff.
  rewrite mem_next by (intros q; rewrite empties_right; intros [B _]; exact B).
  split.
  - intros [[E R] N].
    assert (has_liberty (play s c p) c p) as new.
    { destruct R as [[_ (q & M & A)] | M].
      - rewrite empties_right in M. exists p, q. split; [| split].
        + constructor. apply stone_play; auto.
        + now apply adjacent_sym.
        + apply empty_play. split; auto. intros ->. now apply (adjacent_irrefl columns p).
      - apply mem_strong in M. destruct M as (l & I & L & M).
        destruct (proj2 mine_right l I) as (x & Sx & Lx).
        destruct (proj2 (lone_spec l (filled _ _ _ Sx Lx)) L) as (a & b & D & Ma & Mb).
        assert (exists q, q <> p /\ mem l q = true) as (q & Q & Mq).
        { destruct (Nat.eq_dec a p) as [-> |]; [exists b | exists a]; auto. }
        pose proof (proj1 (Lx p) M) as [_ J]. pose proof (proj1 (Lx q) Mq) as [Eq (r & Lr & Ar)].
        exists r, q. split; [| split]; auto.
        + apply linked_trans with (q := x).
          * apply linked_sym. now apply linked_play_join.
          * now apply linked_play_before.
        + now apply empty_play. }
    split; auto. intros d x Sx. apply stone_play in Sx; auto.
    destruct Sx as [Sx | [-> ->]]; [| exact new].
    destruct (colour_dec d c) as [-> | D].
    + destruct (living c x Sx) as (q & r & L & A & Er).
      destruct (Nat.eq_dec r p) as [-> | Nr].
      * destruct new as (q' & r' & L' & A' & E'). exists q', r'. split; [| split]; auto.
        apply linked_trans with (q := p); auto. apply linked_play_join; auto. exists q. auto.
      * exists q, r. split; [| split]; auto.
        -- now apply linked_play_before.
        -- now apply empty_play.
    + apply opponent_other in D. subst d.
      destruct (proj1 theirs_right x Sx) as (l & I & Lx).
      assert (exists q, q <> p /\ mem l q = true) as (q & Q & Mq).
      { pose proof (filled _ _ _ Sx Lx) as F. destruct (lone l) eqn:O.
        - destruct (proj1 (lone_spec l F) O) as (a & Ma). exists a.
          split; [| rewrite Ma; apply Nat.eqb_refl]. intros ->.
          enough (mem (last_liberties theirs) p = true) by congruence.
          apply mem_last. exists l. repeat split; auto. rewrite Ma. apply Nat.eqb_refl.
        - destruct (proj2 (lone_spec l F) O) as (a & b & D & Ma & Mb).
          destruct (Nat.eq_dec a p) as [-> |]; [exists b | exists a]; auto. }
      apply Lx in Mq. destruct Mq as [Eq (r & Lr & Ar)]. exists r, q. split; [| split]; auto.
      * now apply linked_play_other.
      * now apply empty_play.
  - intros [E A]. split; [split |]; auto.
    + destruct (A c p) as (r & q & L & Ar & Eq); [apply stone_play; auto |].
      apply empty_play in Eq. destruct Eq as [Eq Q].
      apply linked_play_new in L; auto. destruct L as [-> | (x & Ax & Lx)].
      * left. split; [apply E |]. exists q. rewrite empties_right. split; auto. now apply adjacent_sym.
      * right. apply mem_strong. pose proof (linked_within _ _ _ _ Lx) as [Sx _].
        destruct (proj1 mine_right x Sx) as (l & I & Ll). exists l. split; auto.
        assert (mem l p = true) as Mp.
        { apply Ll. split; auto. exists x. split; [now constructor | now apply adjacent_sym]. }
        assert (mem l q = true) as Mq by (apply Ll; split; auto; exists r; auto).
        split; auto. destruct (lone l) eqn:O; auto.
        destruct (proj1 (lone_spec l (filled _ _ _ Sx Ll)) O) as (a & Ma).
        rewrite Ma in Mp, Mq. apply Nat.eqb_eq in Mp, Mq. congruence.
    + destruct (mem (last_liberties theirs) p) eqn:M; auto. exfalso.
      apply mem_last in M. destruct M as (l & I & O & M).
      destruct (proj2 theirs_right l I) as (x & Sx & Lx).
      destruct (proj1 (lone_spec l (filled _ _ _ Sx Lx)) O) as (a & Ma).
      destruct (A (opponent c) x) as (r & q & L & Ar & Eq); [apply stone_play; auto |].
      apply linked_play_other in L; auto. apply empty_play in Eq. destruct Eq as [Eq Q].
      assert (mem l q = true) as Mq by (apply Lx; split; auto; exists r; auto).
      rewrite Ma in M, Mq. apply Nat.eqb_eq in M, Mq. congruence.
Qed.

End Legal.

(** ** Views are right *)

Record right (v : view) (s : position) : Prop := {
  right_stones : forall c p, mem (stones (of v c)) p = true <-> stone s c p;
  right_free : forall p, mem (free v) p = true <-> empty s p;
  right_blocks : forall c, blocks s c (libs (of v c));
  right_moves : forall c p, mem (moves (of v c)) p = true <-> legal s c p;
  right_alive : alive s
}.

Lemma make_view_right s bs ws bl wl fr :
  (forall p, mem bs p = true <-> stone s Black p) -> (forall p, mem ws p = true <-> stone s White p) ->
  (forall p, mem fr p = true <-> empty s p) ->
  blocks s Black bl -> blocks s White wl -> alive s -> right (make_view g bs ws bl wl fr) s.
Proof.
  intros B W F Bb Wb A. constructor; auto; intros [|]; simpl; auto; intros p;
  apply mem_allowed; auto.
Qed.

Lemma blocks_other s c p ls :
  p < 63 -> empty s p -> blocks s (opponent c) ls ->
  blocks (play s c p) (opponent c) (map (fun l => diff l (single p)) ls).
Proof.
  intros P E [In1 In2].
  assert (forall x l, stone s (opponent c) x -> liberties s (opponent c) x l ->
          liberties (play s c p) (opponent c) x (diff l (single p))) as K.
  { intros x l S L q. rewrite mem_diff, mem_single, andb_true_iff, (L q), empty_play, negb_true_iff, Nat.eqb_neq by auto.
    split.
    - intros [[Eq (r & R)] N]. split; auto. exists r. rewrite linked_play_other; auto.
    - intros [[Eq N] (r & R)]. rewrite linked_play_other in R by auto. split; auto. split; auto. exists r. auto. }
  split.
  - intros x S. apply stone_play in S; auto. destruct S as [S | [_ H]]; [| now destruct (opponent_neq c)].
    destruct (In1 x S) as (l & I & L). exists (diff l (single p)). split; auto.
    apply in_map_iff. exists l. auto.
  - intros l I. apply in_map_iff in I. destruct I as (k & <- & I).
    destruct (In2 k I) as (x & S & L). exists x. split; auto. apply stone_play; auto.
Qed.

Lemma merge_spec ls p j :
  p < 63 ->
  exists t, (forall q, mem t q = true <-> mem j q = true \/ exists l, In l ls /\ mem l p = true /\ mem l q = true /\ q <> p) /\
            forall l, In l (merge ls (single p) j) <-> l = t \/ (In l ls /\ mem l p = false).
Proof.
  intros P. revert j. induction ls as [| k ls IH]; intros j; simpl.
  - exists j. split; intros q.
    + split; auto. intros [| (l & [] & _)]; auto.
    + split; [intros [<- | []]; auto |]. intros [-> | [[] _]]; auto.
  - assert (none (inter k (single p)) = negb (mem k p)) as E.
    { destruct (none _) eqn:N.
      - rewrite none_inter in N. destruct (mem k p) eqn:M; auto. exfalso. apply (N p); auto.
        rewrite mem_single by auto. apply Nat.eqb_refl.
      - apply not_none in N. destruct N as (q & N). rewrite mem_inter, mem_single in N by auto.
        apply andb_true_iff in N. destruct N as [M N]. apply Nat.eqb_eq in N. subst. now rewrite M. }
    rewrite E. destruct (mem k p) eqn:M; simpl.
    + destruct (IH (union j (diff k (single p)))) as (t & T & L). exists t. split.
      * intros q. rewrite (T q), mem_union, mem_diff, mem_single, orb_true_iff, andb_true_iff, negb_true_iff, Nat.eqb_neq by auto.
        split.
        -- intros [[J | [K N]] | (l & I & H)]; auto.
           ++ right. exists k. auto.
           ++ right. exists l. tauto.
        -- intros [J | (l & [<- | I] & H)]; auto; [left; right; tauto |]. right. exists l. auto.
      * intros l. rewrite (L l). split; intros [H | [I H]]; auto. destruct I as [<- | I]; [congruence | auto].
    + destruct (IH j) as (t & T & L). exists t. split.
      * intros q. rewrite (T q). split; intros [J | (l & I & H)]; auto; right; exists l; split; try tauto.
        destruct I as [<- | I]; auto. destruct H. congruence.
      * intros l. simpl. rewrite (L l). split.
        -- intros [<- | [-> | [I H]]]; auto.
        -- intros [-> | [[<- | I] H]]; auto.
Qed.

Lemma blocks_own s c p ls near :
  p < 63 -> empty s p -> blocks s c ls ->
  (forall q, mem near q = true <-> empty (play s c p) q /\ adjacent p q) ->
  blocks (play s c p) c (merge ls (single p) near).
Proof.
  intros P E [In1 In2] Near. destruct (merge_spec ls p near P) as (t & T & M).
  assert (stone (play s c p) c p) as Sp by (apply stone_play; auto).
  assert (liberties (play s c p) c p t) as Lt.
  { intros q. rewrite (T q), (Near q). split.
    - intros [[Eq A] | (l & I & Mp & Mq & N)].
      + split; auto. exists p. split; auto. now constructor.
      + destruct (In2 l I) as (x & Sx & Lx). apply Lx in Mp, Mq.
        destruct Mp as [_ J], Mq as [Eq (r & R & A)]. split; [now apply empty_play |].
        exists r. split; auto. apply linked_trans with (q := x).
        * apply linked_sym. now apply linked_play_join.
        * now apply linked_play_before.
    - intros [Eq (r & R & A)]. apply linked_play_new in R; auto. destruct R as [-> | (x & Ax & Lx)].
      + left. auto.
      + right. pose proof (linked_within _ _ _ _ Lx) as [Sx _].
        destruct (In1 x Sx) as (l & I & Ll). apply empty_play in Eq. destruct Eq as [Eq N].
        exists l. repeat split; auto; apply Ll; split; auto.
        * exists x. split; [now constructor | now apply adjacent_sym].
        * exists r. auto. }
  assert (forall x l, stone s c x -> liberties s c x l -> mem l p = false -> liberties (play s c p) c x l) as Away.
  { intros x l Sx Lx Mp q. rewrite (Lx q).
    assert (forall r, linked (stone s c) x r -> ~ adjacent r p) as N.
    { intros r R A. assert (mem l p = true) by (apply Lx; split; auto; exists r; auto). congruence. }
    split; intros [Eq (r & R & A)].
    - split.
      + apply empty_play. split; auto. intros ->. now apply (N r).
      + exists r. split; auto. now apply linked_play_before.
    - apply empty_play in Eq. split; [apply Eq |]. exists r. split; auto.
      apply linked_play_away with (p := p); auto. }
  split.
  - intros x S. apply stone_play in S; auto. destruct S as [S | [-> _]].
    + destruct (In1 x S) as (l & I & L). destruct (mem l p) eqn:Mp.
      * exists t. split; [apply M; auto |]. apply liberties_linked with (p := p); auto.
        apply linked_sym. apply linked_play_join; auto. now apply L.
      * exists l. split; [apply M; auto |]. auto.
    + exists t. split; auto. apply M. auto.
  - intros l I. apply M in I. destruct I as [-> | [I Mp]].
    + exists p. auto.
    + destruct (In2 l I) as (x & S & L). exists x. split; [apply stone_play; auto | auto].
Qed.

Lemma play_view_right v s c p : right v s -> legal s c p -> right (play_view g v c (single p)) (play s c p).
Proof.
  intros [Rs Rf Rb Rm Ra] [E A].
  assert (p < 63) as P by (destruct E as [B _]; unfold Rules.on_board in B; lia).
  assert (forall q, mem (diff (free v) (single p)) q = true <-> empty (play s c p) q) as F.
  { intros q. rewrite mem_diff, mem_single, andb_true_iff, negb_true_iff, Nat.eqb_neq, Rf, empty_play by auto. tauto. }
  assert (forall q, mem (inter (next g (single p)) (diff (free v) (single p))) q = true <->
                    empty (play s c p) q /\ adjacent p q) as N.
  { intros q. rewrite mem_inter, andb_true_iff, F, mem_next.
    - split.
      + intros [[_ (r & M & Ar)] Eq]. rewrite mem_single in M by auto. apply Nat.eqb_eq in M. subst r. auto.
      + intros [Eq Ap]. split; auto. split; [apply Eq |]. exists p. rewrite mem_single by auto. now rewrite Nat.eqb_refl.
    - intros r M. rewrite mem_single in M by auto. apply Nat.eqb_eq in M. subst r. apply E. }
  assert (forall q, mem (union (stones (of v c)) (single p)) q = true <-> stone (play s c p) c q) as Own.
  { intros q. rewrite mem_union, orb_true_iff, Rs, mem_single, Nat.eqb_eq, stone_play by auto. tauto. }
  assert (forall q, mem (stones (of v (opponent c))) q = true <-> stone (play s c p) (opponent c) q) as Other.
  { intros q. rewrite Rs, stone_play by auto. split; auto. intros [| [_ H]]; auto. now destruct (opponent_neq c). }
  destruct c; simpl in *; apply make_view_right; auto.
  - apply blocks_own; auto. exact (Rb Black).
  - apply (blocks_other s Black); auto. exact (Rb White).
  - apply (blocks_other s White); auto. exact (Rb Black).
  - apply blocks_own; auto. exact (Rb White).
Qed.

(** ** Reading a position *)

Lemma read_libs_spec s c f all rest fr :
  (forall p, mem all p = true <-> stone s c p) -> (forall p, mem fr p = true <-> empty s p) ->
  (forall p, mem rest p = true -> mem all p = true) -> count (mem rest) <= amount f ->
  (forall p, mem rest p = true -> exists l, In l (read_libs f g all rest fr) /\ liberties s c p l) /\
  (forall l, In l (read_libs f g all rest fr) -> exists p, stone s c p /\ liberties s c p l).
Proof.
  intros Ha Hf. revert rest. induction f as [| f IH]; intros rest Hr Hc; simpl; destruct (none rest) eqn:N.
  - rewrite none_spec in N. split; [intros p M; now rewrite N in M | intros l []].
  - rewrite count_low in Hc by auto. simpl in Hc. lia.
  - rewrite none_spec in N. split; [intros p M; now rewrite N in M | intros l []].
  - destruct (low_single rest N) as (x & X & Mx & L). rewrite L in *.
    assert (forall q, mem (flood g all (single x)) q = true <-> linked (stone s c) x q) as Fl.
    { intros q. rewrite mem_flood.
      - split.
        + intros (p & M & K). rewrite mem_single in M by auto. apply Nat.eqb_eq in M. subst p.
          revert K. apply linked_mono. intros y. apply Ha.
        + intros K. exists x. rewrite mem_single by auto. split; [apply Nat.eqb_refl |].
          revert K. apply linked_mono. intros y. apply Ha.
      - intros p M. apply Ha in M. apply M.
      - intros p M. rewrite mem_single in M by auto. apply Nat.eqb_eq in M. subst p. auto. }
    set (part := flood g all (single x)) in *.
    assert (liberties s c x (inter (next g part) fr)) as Lx.
    { intros q. rewrite mem_inter, andb_true_iff, Hf, mem_next.
      - split.
        + intros [[_ (r & M & A)] E]. split; auto. exists r. split; auto. now apply Fl.
        + intros [E (r & K & A)]. split; auto. split; [apply E |]. exists r. split; auto. now apply Fl.
      - intros p M. apply Fl in M. apply linked_within in M. apply M. }
    assert (stone s c x) as Sx by (apply Ha; auto).
    destruct (IH (diff rest part)) as [IH1 IH2].
    + intros p. rewrite mem_diff, andb_true_iff. intros [M _]. auto.
    + enough (count (mem (diff rest part)) <= count (mem (diff rest (single x)))) as Le.
      { rewrite count_low, L in Hc by auto. simpl in Hc. lia. }
      apply count_mono. intros p _. rewrite !mem_diff, !andb_true_iff, !negb_true_iff, mem_single, Nat.eqb_neq by auto.
      intros [M Q]. split; auto. intros ->. enough (mem part x = true) by congruence. apply Fl. now constructor.
    + split.
      * intros p M. destruct (mem part p) eqn:Mp.
        -- exists (inter (next g part) fr). split; [now left |]. apply liberties_linked with (p := x); auto. now apply Fl.
        -- destruct (IH1 p) as (l & I & K); [rewrite mem_diff, M, Mp; auto |]. exists l. split; [now right | auto].
      * intros l [<- | I]; [exists x; auto | auto].
Qed.

(** The position of two sets of stones. *)
Definition shown (b w : int) : position :=
  fun p => if mem b p then Some Black else if mem w p then Some White else None.

Lemma read_view_right b w : proper g (read_view g b w) = true -> right (read_view g b w) (shown b w).
Proof.
  unfold proper. rewrite !andb_true_iff, none_subset, none_inter, !forallb_forall.
  intros [[[On Apart] Lb] Lw].
  simpl in On, Apart.
  assert (forall p, mem b p = true <-> stone (shown b w) Black p) as B.
  { intros p. unfold Rules.stone, shown. split.
    - intros M. rewrite M. split; auto. apply mem_whole. apply On. rewrite mem_union, M. auto.
    - intros [_ H]. destruct (mem b p); auto. destruct (mem w p); discriminate. }
  assert (forall p, mem w p = true <-> stone (shown b w) White p) as W.
  { intros p. unfold Rules.stone, shown. split.
    - intros M. rewrite M. split.
      + apply mem_whole. apply On. rewrite mem_union, M. apply orb_true_r.
      + destruct (mem b p) eqn:Mb; auto. exfalso. now apply (Apart p).
    - intros [_ H]. destruct (mem b p); [discriminate |]. destruct (mem w p); auto. discriminate. }
  assert (forall p, mem (diff (whole g) (union b w)) p = true <-> empty (shown b w) p) as F.
  { intros p. rewrite mem_diff, andb_true_iff, mem_whole, mem_union, negb_true_iff, orb_false_iff.
    unfold Rules.empty, shown. destruct (mem b p), (mem w p); intuition discriminate. }
  assert (forall x, count x <= amount full) as Enough.
  { intros x. rewrite amount_full. pose proof (count_bound x). lia. }
  assert (blocks (shown b w) Black (read_libs full g b b (diff (whole g) (union b w)))) as Bb.
  { destruct (read_libs_spec (shown b w) Black full b b (diff (whole g) (union b w))) as [H1 H2]; auto.
    split; auto. intros p S. apply H1. now apply B. }
  assert (blocks (shown b w) White (read_libs full g w w (diff (whole g) (union b w)))) as Wb.
  { destruct (read_libs_spec (shown b w) White full w w (diff (whole g) (union b w))) as [H1 H2]; auto.
    split; auto. intros p S. apply H1. now apply W. }
  apply make_view_right; auto.
  intros [|] p S.
  - destruct (proj1 Bb p S) as (l & I & L). apply (liberties_alive _ _ _ _ L).
    apply Lb in I. now apply negb_true_iff in I.
  - destruct (proj1 Wb p S) as (l & I & L). apply (liberties_alive _ _ _ _ L).
    apply Lw in I. now apply negb_true_iff in I.
Qed.

End Board.

Global Opaque make_grid next flood.
