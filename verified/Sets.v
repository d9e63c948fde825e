(** * Sets of points as machine integers

    Bit [p] of an integer says whether point [p] is in the set. *)

From Coq Require Import Arith Lia List ZArith Bool Uint63.
Import ListNotations.

Open Scope bool_scope.

(** Loops count down something that costs nothing at run time. *)
Inductive fuel := Out | More (f : fuel).

Fixpoint fuel_of (n : nat) : fuel := match n with O => Out | S m => More (fuel_of m) end.
Fixpoint amount (f : fuel) : nat := match f with Out => O | More g => S (amount g) end.

Lemma amount_fuel_of n : amount (fuel_of n) = n.
Proof. induction n; simpl; congruence. Qed.

Definition full : fuel := fuel_of 64.

Lemma amount_full : amount full = 64.
Proof. apply amount_fuel_of. Qed.

Global Opaque full.

(** ** Membership *)

Definition mem (x : int) (p : nat) : bool := Z.testbit (to_Z x) (Z.of_nat p).

Definition union (x y : int) : int := (x lor y)%uint63.
Definition inter (x y : int) : int := (x land y)%uint63.
Definition diff (x y : int) : int := (x lxor (x land y))%uint63.
Definition none (x : int) : bool := (x =? 0)%uint63.
Definition low (x : int) : int := (x land (0 - x))%uint63.

Lemma mem_union x y p : mem (union x y) p = mem x p || mem y p.
Proof. unfold mem, union. rewrite lor_spec'. apply Z.lor_spec. Qed.

Lemma mem_inter x y p : mem (inter x y) p = mem x p && mem y p.
Proof. unfold mem, inter. rewrite land_spec'. apply Z.land_spec. Qed.

Lemma mem_diff x y p : mem (diff x y) p = mem x p && negb (mem y p).
Proof.
  unfold mem, diff. rewrite lxor_spec', land_spec', Z.lxor_spec, Z.land_spec.
  now destruct (Z.testbit _ _), (Z.testbit _ _).
Qed.

Lemma mem_0 p : mem 0 p = false.
Proof. unfold mem. rewrite to_Z_0. apply Z.bits_0. Qed.

Lemma wB_pow : wB = (2 ^ 63)%Z.
Proof. reflexivity. Qed.

Lemma mem_bound x p : mem x p = true -> p < 63.
Proof.
  unfold mem. intros H. destruct (Nat.lt_ge_cases p 63) as [| G]; auto. exfalso.
  pose proof (to_Z_bounded x) as B. rewrite wB_pow in B.
  rewrite <- (Z.mod_small (to_Z x) (2 ^ 63)) in H by auto.
  rewrite Z.mod_pow2_bits_high in H by lia. discriminate.
Qed.

Lemma mem_ext x y : (forall p, mem x p = mem y p) -> x = y.
Proof.
  intros H. apply to_Z_inj. apply Z.bits_inj'. intros n Hn.
  specialize (H (Z.to_nat n)). unfold mem in H. now rewrite Z2Nat.id in H.
Qed.

Lemma none_spec x : none x = true <-> forall p, mem x p = false.
Proof.
  unfold none. rewrite eqb_spec. split.
  - intros -> p. apply mem_0.
  - intros H. apply mem_ext. intros p. now rewrite H, mem_0.
Qed.

Lemma none_subset x y : none (diff x y) = true <-> forall p, mem x p = true -> mem y p = true.
Proof.
  rewrite none_spec. split; intros H p; specialize (H p); rewrite mem_diff in *;
  destruct (mem x p), (mem y p); simpl in *; auto; now rewrite H.
Qed.

Lemma none_inter x y : none (inter x y) = true <-> forall p, mem x p = true -> mem y p = true -> False.
Proof.
  rewrite none_spec. split; intros H p; specialize (H p); rewrite mem_inter in *;
  destruct (mem x p), (mem y p); simpl in *; auto; try discriminate. now destruct H.
Qed.

Lemma not_none x : none x = false -> exists p, mem x p = true.
Proof.
  unfold none. intros N. apply eqb_false_spec in N.
  assert (0 < to_Z x)%Z as P.
  { pose proof (to_Z_bounded x). destruct (Z.eq_dec (to_Z x) 0) as [E |]; [| lia].
    exfalso. apply N. now apply to_Z_inj. }
  exists (Z.to_nat (Z.log2 (to_Z x))). unfold mem.
  rewrite Z2Nat.id by apply Z.log2_nonneg. now apply Z.bit_log2.
Qed.

(** ** Shifts *)

Lemma mem_shl x k n p :
  to_Z k = Z.of_nat n -> mem (x << k)%uint63 p = (p <? 63) && ((n <=? p) && mem x (p - n)).
Proof.
  intros K. unfold mem. rewrite lsl_spec, wB_pow, K.
  destruct (Nat.ltb_spec p 63) as [L | L]; rewrite ?andb_true_l, ?andb_false_l.
  - rewrite Z.mod_pow2_bits_low by lia. rewrite Z.mul_pow2_bits by lia.
    destruct (Nat.leb_spec n p); rewrite ?andb_true_l, ?andb_false_l.
    + f_equal. lia.
    + apply Z.testbit_neg_r. lia.
  - apply Z.mod_pow2_bits_high. lia.
Qed.

Lemma mem_shr x k n p : to_Z k = Z.of_nat n -> mem (x >> k)%uint63 p = mem x (p + n).
Proof.
  intros K. unfold mem. rewrite lsr_spec, K, Z.div_pow2_bits by lia. f_equal. lia.
Qed.

(** ** The lowest bit

    The proofs need only that it is a member. *)

Lemma low_spec x : none x = false -> exists p, mem x p = true /\ forall q, mem (low x) q = (q =? p).
Proof.
  unfold none. intros N. apply eqb_false_spec in N.
  assert (0 < to_Z x)%Z as P.
  { pose proof (to_Z_bounded x). destruct (Z.eq_dec (to_Z x) 0) as [E |]; [| lia].
    exfalso. apply N. now apply to_Z_inj. }
  destruct (tail0_spec x P) as (y & Hy & E).
  set (t := to_Z (tail0 x)) in *.
  assert (0 <= t)%Z as Ht by apply to_Z_bounded.
  assert (forall n, (t <= n)%Z -> Z.testbit (to_Z x) n = Z.testbit (2 * y + 1) (n - t)) as B.
  { intros n Hn. rewrite E. apply Z.mul_pow2_bits; lia. }
  assert (Z.testbit (to_Z x) t = true) as T.
  { rewrite B by lia. rewrite Z.sub_diag. now apply Z.testbit_odd_0. }
  exists (Z.to_nat t). split.
  - unfold mem. now rewrite Z2Nat.id.
  - intros q. unfold mem, low. rewrite land_spec', sub_spec, to_Z_0, Z.land_spec, wB_pow.
    destruct (Z.lt_trichotomy (Z.of_nat q) t) as [L | [L | L]].
    + replace (Z.testbit (to_Z x) (Z.of_nat q)) with false.
      2: { rewrite E. rewrite Z.mul_pow2_bits by lia. symmetry. apply Z.testbit_neg_r. lia. }
      symmetry. apply Nat.eqb_neq. lia.
    + rewrite L, T. replace (q =? Z.to_nat t) with true by (symmetry; apply Nat.eqb_eq; lia).
      assert (Z.to_nat t < 63) as T63.
      { apply (mem_bound x). unfold mem. now rewrite Z2Nat.id. }
      rewrite Z.mod_pow2_bits_low by lia.
      replace (0 - to_Z x)%Z with (Z.lnot (to_Z x - 1)) by (unfold Z.lnot; lia).
      rewrite Z.lnot_spec by lia. rewrite andb_true_l.
      rewrite Z.testbit_odd, Z.shiftr_div_pow2 by lia.
      replace ((to_Z x - 1) / 2 ^ t)%Z with (2 * y)%Z.
      * now rewrite Z.odd_mul.
      * apply Z.div_unique with (r := (2 ^ t - 1)%Z).
        -- left. pose proof (Z.pow_pos_nonneg 2 t). lia.
        -- rewrite E. ring.
    + replace (q =? Z.to_nat t) with false by (symmetry; apply Nat.eqb_neq; lia).
      destruct (Nat.lt_ge_cases q 63) as [Q | Q].
      2: { rewrite Z.mod_pow2_bits_high by lia. apply andb_false_r. }
      rewrite Z.mod_pow2_bits_low by lia.
      replace (0 - to_Z x)%Z with (Z.lnot (to_Z x - 1)) by (unfold Z.lnot; lia).
      rewrite Z.lnot_spec by lia.
      replace (Z.testbit (to_Z x - 1) (Z.of_nat q)) with (Z.testbit (to_Z x) (Z.of_nat q)).
      { apply andb_negb_r. }
      replace (Z.of_nat q) with ((Z.of_nat q - (t + 1)) + (t + 1))%Z by lia.
      rewrite <- !Z.div_pow2_bits by lia. f_equal.
      assert (0 < 2 ^ t)%Z as P2 by (apply Z.pow_pos_nonneg; lia).
      rewrite Z.pow_add_r, Z.pow_1_r by lia.
      transitivity y; [symmetry |]; symmetry.
      * symmetry. apply Z.div_unique with (r := (2 ^ t)%Z); [left; lia | rewrite E; ring].
      * symmetry. apply Z.div_unique with (r := (2 ^ t - 1)%Z); [left; lia | rewrite E; ring].
Qed.

Lemma low_subset x p : mem (low x) p = true -> mem x p = true.
Proof. unfold low. fold (inter x (0 - x)%uint63). rewrite mem_inter, andb_true_iff. tauto. Qed.

(** A set that is its own lowest bit has one member. *)
Definition lone (x : int) : bool := (x =? low x)%uint63.

Lemma lone_spec x : none x = false ->
  (lone x = true -> exists p, forall q, mem x q = (q =? p)) /\
  (lone x = false -> exists p q, p <> q /\ mem x p = true /\ mem x q = true).
Proof.
  intros N. destruct (low_spec x N) as (p & Mp & L). unfold lone. split.
  - intros E. apply eqb_spec in E. exists p. intros q. rewrite E at 1. apply L.
  - intros E. apply eqb_false_spec in E.
    destruct (none (diff x (low x))) eqn:D.
    + exfalso. apply E. apply mem_ext. intros q. rewrite L.
      rewrite none_subset in D.
      destruct (Nat.eqb_spec q p) as [-> | Q]; auto.
      destruct (mem x q) eqn:M; auto. apply D in M. rewrite L in M.
      apply Nat.eqb_eq in M. contradiction.
    + apply not_none in D. destruct D as (q & D). rewrite mem_diff, L in D.
      apply andb_true_iff in D. destruct D as [D1 D2].
      exists p, q. repeat split; auto. intros ->. now rewrite Nat.eqb_refl in D2.
Qed.

(** ** Single points *)

Fixpoint single (p : nat) : int :=
  match p with O => 1%uint63 | S q => (single q << 1)%uint63 end.

Lemma mem_single p q : p < 63 -> mem (single p) q = (q =? p).
Proof.
  revert q. induction p as [| p IH]; intros q Hp.
  - simpl. unfold mem. rewrite to_Z_1.
    destruct q; [reflexivity |].
    apply (Z.bits_above_log2 1); simpl; lia.
  - simpl single. rewrite (mem_shl _ _ 1) by reflexivity.
    destruct q as [| q].
    + reflexivity.
    + rewrite IH by lia. replace (S q - 1) with q by lia. simpl.
      destruct (Nat.eqb_spec q p) as [-> | N]; [| apply andb_false_r].
      rewrite andb_true_r. apply Nat.ltb_lt. lia.
Qed.

Lemma single_low x p : p < 63 -> (forall q, mem (low x) q = (q =? p)) -> low x = single p.
Proof. intros P H. apply mem_ext. intros q. now rewrite H, mem_single. Qed.

Lemma low_single x : none x = false -> exists p, p < 63 /\ mem x p = true /\ low x = single p.
Proof.
  intros N. destruct (low_spec x N) as (p & M & L). exists p.
  assert (p < 63) by (now apply (mem_bound x)). repeat split; auto. now apply single_low.
Qed.

(** ** Counting *)

Definition count (f : nat -> bool) : nat := length (filter f (seq 0 63)).

Lemma filter_mono {A} (f g : A -> bool) l :
  (forall x, In x l -> f x = true -> g x = true) -> length (filter f l) <= length (filter g l).
Proof.
  induction l as [| a l IH]; intros H; simpl; auto.
  assert (length (filter f l) <= length (filter g l)) by (apply IH; intros; apply H; simpl; auto).
  destruct (f a) eqn:F.
  - rewrite (H a); simpl; auto. lia.
  - destruct (g a); simpl; lia.
Qed.

Lemma count_mono f g : (forall p, p < 63 -> f p = true -> g p = true) -> count f <= count g.
Proof. intros H. apply filter_mono. intros p I. apply in_seq in I. apply H. lia. Qed.

Lemma count_ext f g : (forall p, p < 63 -> f p = g p) -> count f = count g.
Proof.
  intros H. apply Nat.le_antisymm; apply count_mono; intros p P; rewrite H; auto.
Qed.

Lemma count_split f g : count f = count (fun p => f p && g p) + count (fun p => f p && negb (g p)).
Proof.
  unfold count. induction (seq 0 63) as [| a l IH]; auto. simpl.
  destruct (f a), (g a); simpl; lia.
Qed.

Lemma filter_eqb p l : NoDup l -> In p l -> length (filter (fun q => q =? p) l) = 1.
Proof.
  induction 1 as [| a l N D IH]; intros I; [easy |]. simpl.
  destruct (Nat.eqb_spec a p) as [-> | E].
  - simpl. f_equal. clear IH I D. induction l as [| b l IH]; auto. simpl.
    destruct (Nat.eqb_spec b p) as [-> |]; [exfalso; apply N; now left |].
    apply IH. intros I. apply N. now right.
  - destruct I as [-> |]; [easy |]. auto.
Qed.

Lemma count_one p : p < 63 -> count (fun q => q =? p) = 1.
Proof. intros P. apply filter_eqb; [apply seq_NoDup |]. apply in_seq. lia. Qed.

Lemma count_remove f p : p < 63 -> f p = true -> count f = S (count (fun q => f q && negb (q =? p))).
Proof.
  intros P F. rewrite (count_split f (fun q => q =? p)).
  replace (count (fun q => f q && (q =? p))) with 1; auto.
  rewrite <- (count_one p P). apply count_ext. intros q _.
  destruct (Nat.eqb_spec q p) as [-> |]; [now rewrite F | now rewrite andb_false_r].
Qed.

Lemma count_pos f : 0 < count f -> exists p, p < 63 /\ f p = true.
Proof.
  unfold count. destruct (filter f (seq 0 63)) as [| p l] eqn:E; simpl; [lia |]. intros _.
  assert (In p (filter f (seq 0 63))) as I by (rewrite E; now left).
  apply filter_In in I. destruct I as [I F]. apply in_seq in I. exists p. split; auto. lia.
Qed.

Lemma count_bound f : count f <= 63.
Proof.
  unfold count. rewrite <- (seq_length 63 0) at 2.
  induction (seq 0 63) as [| a l IH]; simpl; auto. destruct (f a); simpl; lia.
Qed.

Lemma NoDup_map {A B} (h : A -> B) l :
  (forall x y, In x l -> In y l -> h x = h y -> x = y) -> NoDup l -> NoDup (map h l).
Proof.
  intros Inj D. induction D as [| a l N D IH]; simpl; constructor.
  - rewrite in_map_iff. intros (x & E & I). apply N. rewrite (Inj a x); simpl; auto.
  - apply IH. intros x y Ix Iy. apply Inj; simpl; auto.
Qed.

Lemma count_injection f k (h : nat -> nat) :
  (forall p, p < 63 -> f p = true -> h p < 63 /\ k (h p) = true) ->
  (forall p q, p < 63 -> q < 63 -> f p = true -> f q = true -> h p = h q -> p = q) -> count f <= count k.
Proof.
  intros H Inj. unfold count. rewrite <- (map_length h (filter f (seq 0 63))).
  apply NoDup_incl_length.
  - apply NoDup_map; [| apply NoDup_filter; apply seq_NoDup].
    intros x y Ix Iy. apply filter_In in Ix, Iy. destruct Ix as [Ix Fx], Iy as [Iy Fy].
    apply in_seq in Ix, Iy. apply Inj; auto; lia.
  - intros y I. apply in_map_iff in I. destruct I as (x & <- & I). apply filter_In in I.
    destruct I as [I F]. apply in_seq in I. destruct (H x) as [B K]; auto; [lia |].
    apply filter_In. split; auto. apply in_seq. lia.
Qed.

Global Opaque count.

Fixpoint card_with (f : fuel) (x : int) : nat :=
  if none x then 0
  else match f with
  | Out => 0
  | More g => S (card_with g (diff x (low x)))
  end.

Definition card (x : int) : nat := card_with full x.

Lemma count_low x : none x = false -> count (mem x) = S (count (mem (diff x (low x)))).
Proof.
  intros N. destruct (low_spec x N) as (p & M & L).
  rewrite (count_remove _ p); auto.
  - f_equal. apply count_ext. intros q _. now rewrite mem_diff, L.
  - now apply (mem_bound x).
Qed.

Lemma count_none x : none x = true -> count (mem x) = 0.
Proof.
  intros N. rewrite none_spec in N. destruct (Nat.eq_dec (count (mem x)) 0) as [| H]; auto.
  destruct (count_pos (mem x)) as (p & _ & M); [lia |]. now rewrite N in M.
Qed.

Lemma card_with_spec f x : count (mem x) <= amount f -> card_with f x = count (mem x).
Proof.
  revert x. induction f as [| f IH]; intros x H; simpl in *; destruct (none x) eqn:N;
  try (symmetry; now apply count_none).
  - lia.
  - rewrite count_low in * by auto. rewrite IH; lia.
Qed.

Lemma card_spec x : card x = count (mem x).
Proof.
  apply card_with_spec. rewrite amount_full. pose proof (count_bound (mem x)). lia.
Qed.

(** ** Loops over the members of a set *)

Fixpoint all_with (f : fuel) (x : int) (test : int -> bool) : bool :=
  if none x then true
  else match f with
  | Out => false
  | More g => test (low x) && all_with g (diff x (low x)) test
  end.

Lemma all_with_spec f x test :
  all_with f x test = true -> forall p, mem x p = true -> test (single p) = true.
Proof.
  revert x. induction f as [| f IH]; intros x H p M; simpl in H; destruct (none x) eqn:N;
  try discriminate; try (rewrite none_spec in N; congruence).
  apply andb_true_iff in H. destruct H as [T H].
  destruct (low_single x N) as (q & Q & Mq & L). rewrite L in T.
  destruct (Nat.eq_dec p q) as [-> | D]; auto.
  apply (IH (diff x (low x))); auto. rewrite mem_diff, L, mem_single, M by auto.
  apply Nat.eqb_neq in D. now rewrite D.
Qed.

Global Opaque mem union inter diff none low lone single card.
