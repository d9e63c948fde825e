(** * The static test

    [sure], [firm], [most] and [judge] of the format, and the proof that they are sound.
    The heart is one strategy: a side that has moves nobody can take from it plays points
    open to both as long as there are firm ones, and then its sure moves. *)

From Coq Require Import Arith Lia List ZArith Bool Uint63.
Require Import Rules Game Sets Board.
Import ListNotations.

(** ** The strategy

    [c] is to move in [s0], and its opponent [h] holds the points [keep], [fill] and
    [firm]. [L] are the legal moves of [c]. *)

Section Strategy.

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
Notation wins := (wins rows columns).
Notation loses := (loses rows columns).
Notation extends := (extends rows columns).

Variables (s0 : position) (c : colour) (keep fill firm L : int).
Let h := opponent c.

(** Points on which [c] never gets a stone. *)
Definition ground (x : point) : Prop := stone s0 h x \/ (empty s0 x /\ mem L x = false).

(** What [h] needs. *)
Record assets : Prop := {
  a_alive : alive s0;
  a_moves : forall p, mem L p = true <-> legal s0 c p;
  a_keep : forall p, mem keep p = true -> empty s0 p /\ mem L p = false;
  a_fill : forall p, mem fill p = true -> empty s0 p /\ mem L p = false;
  a_apart : forall p, mem fill p = true -> mem keep p = true -> False;
  a_firm : forall p, mem firm p = true -> empty s0 p /\ mem L p = true;
  (* A move on these points captures nothing ... *)
  a_stone : forall p x, mem fill p = true \/ mem firm p = true -> adjacent p x -> stone s0 c x ->
    exists k r, mem keep k = true /\ linked (stone s0 c) x r /\ adjacent r k;
  a_open : forall p x, mem fill p = true \/ mem firm p = true -> adjacent p x -> mem L x = true ->
    exists k, mem keep k = true /\ adjacent x k;
  (* ... and is no suicide. *)
  a_safe : forall p, mem fill p = true \/ mem firm p = true ->
    exists a k, adjacent p a /\ linked ground a k /\ mem keep k = true
}.

(** What has happened since [s0]: [h] played on [fill] and [firm] and at most one other
    point, [q0]; and nobody played on [keep]. *)
Record since (q0 : point) (s : position) : Prop := {
  since_extends : extends s0 s;
  since_alive : alive s;
  since_holder : forall p, stone s h p -> stone s0 h p \/ mem fill p = true \/ mem firm p = true \/ p = q0;
  since_holder_legal : forall p, stone s h p -> stone s0 h p \/ legal s0 h p;
  since_other : forall p, stone s c p -> stone s0 c p \/ mem L p = true;
  since_keep : forall p, mem keep p = true -> empty s p
}.

Hypothesis A : assets.

Lemma since_start q0 : since q0 s0.
Proof.
  constructor; auto.
  - apply extends_refl.
  - apply A.
  - intros p M. now apply A in M.
Qed.

(** The points of [h] are legal moves as long as they are empty. *)
Lemma holder_legal q0 s p :
  since q0 s -> mem fill p = true \/ mem firm p = true -> empty s p -> legal s h p.
Proof.
  intros S F E. split; auto.
  assert (forall k, mem keep k = true -> k <> p) as Kp.
  { intros k K ->. destruct F as [F | F].
    - now apply (a_apart A p).
    - apply (a_firm A) in F. apply (a_keep A) in K. destruct F, K. congruence. }
  assert (has_liberty (play s h p) h p) as new.
  { destruct (a_safe A p F) as (a & k & Aa & La & K).
    assert (forall x, ground x -> empty s x \/ stone s h x) as G.
    { intros x [Sx | [Ex Lx]].
      - right. now apply S.
      - destruct Ex as [B Ex]. destruct (s x) as [d |] eqn:Sx; [| left; now split].
        destruct (colour_dec d c) as [-> | D].
        + destruct (since_other _ _ S x) as [[_ H] | H]; [now split | congruence | congruence].
        + right. split; auto. apply opponent_other in D. now subst. }
    assert (a <> p) as Nap by (intros ->; now apply (adjacent_irrefl columns p)).
    pose proof (linked_within _ _ _ _ La) as [Ga Gk].
    destruct (G a Ga) as [Ea | Sa].
    - exists p, a. split; [| split]; auto.
      + constructor. apply stone_play; auto.
      + apply empty_play. auto.
    - assert (stone (play s h p) h a) as Sa' by (apply stone_play; auto).
      assert (linked (stone (play s h p) h) p a) as Lpa.
      { apply linked_step with (q := p); auto. constructor. apply stone_play; auto. }
      assert (forall x, ground x -> on_board x) as Gb by (intros x [[B _] | [[B _] _]]; auto).
      destruct (walk columns (stone (play s h p) h) ground a k) as [W | (x & y & W & Axy & Gy & N)]; auto.
      + intros q Gq. apply stone_dec. auto.
      + apply linked_within in W. destruct W as [_ W]. apply stone_play in W; auto.
        pose proof (since_keep _ _ S k K) as [_ Ek]. exfalso.
        destruct W as [[_ W] | [W _]]; [congruence |]. now apply (Kp k).
      + exists x, y. split; [| split]; auto.
        * apply linked_trans with (q := a); auto.
        * apply empty_play. destruct (G y Gy) as [Ey | Sy].
          -- split; auto. intros ->. apply N. apply stone_play; auto.
          -- exfalso. apply N. apply stone_play; auto. }
  intros d x Sx. apply stone_play in Sx; auto. destruct Sx as [Sx | [-> ->]]; [| exact new].
  destruct (since_alive _ _ S d x Sx) as (r & q & Lr & Arq & Eq).
  destruct (Nat.eq_dec q p) as [-> | Nq].
  2: { exists r, q. split; [| split]; auto.
       - revert Lr. apply linked_mono. intros y Sy. apply stone_play; auto.
       - apply empty_play. auto. }
  destruct (colour_dec d c) as [-> | D].
  - (* A block of the other side: it has a liberty in keep. *)
    assert (exists k r', mem keep k = true /\ linked (stone s c) r r' /\ adjacent r' k) as (k & r' & K & Lk & Ak).
    { pose proof (linked_within _ _ _ _ Lr) as [_ Sr].
      destruct (since_other _ _ S r Sr) as [S0 | ML].
      - destruct (a_stone A p r F (adjacent_sym _ _ _ Arq) S0) as (k & r' & K & Lk & Ak).
        exists k, r'. split; [| split]; auto. revert Lk. apply linked_mono. intros y. apply S.
      - destruct (a_open A p r F (adjacent_sym _ _ _ Arq) ML) as (k & K & Ak).
        exists k, r. split; [| split]; auto. now constructor. }
    exists r', k. split; [| split]; auto.
    + assert (linked (stone s c) x r') as Lx by (now apply linked_trans with (q := r)).
      revert Lx. apply linked_mono. intros y Sy. apply stone_play; auto.
    + apply empty_play. split; [now apply (since_keep _ _ S) | auto].
  - apply opponent_other in D. subst d.
    destruct new as (q' & r' & L' & A' & E'). exists q', r'. split; [| split]; auto.
    apply linked_trans with (q := p); auto. apply linked_play_join; auto. exists r. auto.
Qed.

Lemma since_holder_move q0 s p :
  since q0 s -> mem fill p = true \/ mem firm p = true -> empty s p -> since q0 (play s h p).
Proof.
  intros S F E. pose proof (holder_legal _ _ _ S F E) as Le. constructor.
  - apply extends_trans with (t := s); [apply S | now apply play_extends].
  - apply Le.
  - intros q Sq. apply stone_play in Sq; auto. destruct Sq as [Sq | [-> _]]; [now apply S | tauto].
  - intros q Sq. apply stone_play in Sq; auto. destruct Sq as [Sq | [-> _]]; [now apply S |].
    right. apply legal_before with (t := s); auto. apply S.
  - intros q Sq. apply stone_play in Sq; auto. destruct Sq as [Sq | [_ H]]; [now apply S |].
    exfalso. now apply (opponent_neq c).
  - intros k K. apply empty_play. split; [now apply S |]. intros ->. destruct F as [F | F].
    + now apply (a_apart A p).
    + apply (a_firm A) in F. apply (a_keep A) in K. destruct F, K. congruence.
Qed.

Lemma since_other_move q0 s p : since q0 s -> legal s c p -> mem L p = true /\ since q0 (play s c p).
Proof.
  intros S Le. pose proof Le as [E Al].
  assert (mem L p = true) as M by (apply A; apply legal_before with (t := s); auto; apply S).
  split; auto. constructor; auto.
  - apply extends_trans with (t := s); [apply S | now apply play_extends].
  - intros q Sq. apply stone_play in Sq; auto. destruct Sq as [Sq | [_ H]]; [now apply S |].
    exfalso. now apply (opponent_neq c).
  - intros q Sq. apply stone_play in Sq; auto. destruct Sq as [Sq | [_ H]]; [now apply S |].
    exfalso. now apply (opponent_neq c).
  - intros q Sq. apply stone_play in Sq; auto. destruct Sq as [Sq | [-> _]]; [now apply S | auto].
  - intros k K. apply empty_play. split; [now apply S |]. intros ->.
    apply (a_keep A) in K. destruct K. congruence.
Qed.

(** The first move of [h], on a point open to both that is not firm. *)
Lemma since_first_move q : legal s0 h q -> mem L q = true -> since q (play s0 h q).
Proof.
  intros Le M. pose proof Le as [E Al]. constructor; auto.
  - now apply play_extends.
  - intros p Sp. apply stone_play in Sp; auto. destruct Sp as [Sp | [-> _]]; auto.
  - intros p Sp. apply stone_play in Sp; auto. destruct Sp as [Sp | [-> _]]; auto.
  - intros p Sp. apply stone_play in Sp; auto. destruct Sp as [Sp | [_ H]]; auto.
    exfalso. now apply (opponent_neq c).
  - intros k K. apply (a_keep A) in K. destruct K. apply empty_play. split; auto. congruence.
Qed.

(** ** Counting *)

(** The number of empty points of a set. *)
Definition vacant (s : position) (x : int) : nat :=
  count (fun p => mem x p && match s p with None => true | _ => false end).

Lemma vacant_start x : (forall p, mem x p = true -> empty s0 p) -> vacant s0 x = count (mem x).
Proof.
  intros H. unfold vacant. apply count_ext. intros p _. destruct (mem x p) eqn:M; auto.
  apply H in M. destruct M as [_ ->]. auto.
Qed.

Lemma vacant_play_in s d x p : empty s p -> mem x p = true -> vacant s x = S (vacant (play s d p) x).
Proof.
  intros [B E] M. unfold vacant. rewrite (count_remove _ p).
  - f_equal. apply count_ext. intros q _. unfold play.
    destruct (q =? p); simpl; now rewrite ?andb_false_r, ?andb_true_r.
  - now apply (mem_bound x).
  - now rewrite M, E.
Qed.

Lemma vacant_play_out s d x p : mem x p = false -> vacant (play s d p) x = vacant s x.
Proof.
  intros M. unfold vacant. apply count_ext. intros q _. unfold play.
  destruct (Nat.eqb_spec q p) as [-> |]; auto. now rewrite M.
Qed.

Lemma vacant_pos s x : (forall p, mem x p = true -> on_board p) -> 0 < vacant s x ->
  exists p, mem x p = true /\ empty s p.
Proof.
  intros B H. unfold vacant in H. apply count_pos in H. destruct H as (p & _ & H). apply andb_true_iff in H.
  destruct H as [M H]. exists p. split; auto. split; auto. now destruct (s p).
Qed.

Lemma vacant_diff s x y p :
  (forall q, mem y q = true -> mem x q = true) -> mem y p = true -> empty s p ->
  S (vacant s (diff x y)) <= vacant s x.
Proof.
  intros Sub M [_ E]. unfold vacant at 2. rewrite (count_remove _ p).
  - apply le_n_S. apply count_mono. intros q _. rewrite mem_diff, !andb_true_iff, !negb_true_iff, Nat.eqb_neq.
    intros [[Mx My] V]. repeat split; auto. intros ->. congruence.
  - now apply (mem_bound y).
  - now rewrite (Sub p M), E.
Qed.

(** ** Who wins *)

(** [m]: at least as many points of [L] stay empty. *)
Variable m : nat.
Hypothesis stay : forall q0 s, since q0 s -> m <= vacant s L.

Lemma strategy n q0 s :
  since q0 s -> vacant s L <= n ->
  vacant s L <= m + vacant s fill + 2 * (vacant s firm / 2) -> loses s c.
Proof.
  revert s. induction n as [n IH] using lt_wf_ind. intros s Hs N H. apply loses_if. intros p Le.
  pose proof Le as [E _]. destruct (since_other_move _ _ _ Hs Le) as [M S1].
  pose proof (stay _ _ S1) as M1.
  pose proof (vacant_play_in s c L p E M) as VL.
  assert (mem fill p = false) as Nf.
  { destruct (mem fill p) eqn:F; auto. apply (a_fill A) in F. destruct F. congruence. }
  pose proof (vacant_play_out s c fill p Nf) as VF.
  assert (vacant s firm <= S (vacant (play s c p) firm)) as VR.
  { destruct (mem firm p) eqn:F.
    - rewrite (vacant_play_in s c firm p); auto.
    - rewrite vacant_play_out; auto. }
  set (s1 := play s c p) in *. change (opponent c) with h.
  destruct (Nat.eq_dec (vacant s1 firm) 0) as [Z | Z].
  - assert (vacant s firm / 2 = 0) as Z2 by (apply Nat.div_small; lia).
    destruct (vacant_pos s1 fill) as (q & Fq & Eq); [| lia |].
    { intros x X. apply (a_fill A) in X. apply X. }
    apply wins_by with (p := q); [apply (holder_legal q0); auto |].
    unfold h at 2. rewrite opponent_involutive.
    assert (mem L q = false) as Lq by (now apply (a_fill A)).
    assert (mem firm q = false) as Rq.
    { destruct (mem firm q) eqn:R; auto. apply (a_firm A) in R. destruct R. congruence. }
    pose proof (vacant_play_out s1 h L q Lq). pose proof (vacant_play_out s1 h firm q Rq).
    pose proof (vacant_play_in s1 h fill q Eq Fq).
    apply (IH (n - 1)); try lia.
    apply since_holder_move; auto.
  - destruct (vacant_pos s1 firm) as (q & Fq & Eq); [| lia |].
    { intros x X. apply (a_firm A) in X. apply X. }
    apply wins_by with (p := q); [apply (holder_legal q0); auto |].
    unfold h at 2. rewrite opponent_involutive.
    assert (mem L q = true) as Lq by (now apply (a_firm A)).
    assert (mem fill q = false) as Rq.
    { destruct (mem fill q) eqn:R; auto. apply (a_fill A) in R. destruct R. congruence. }
    pose proof (vacant_play_in s1 h L q Eq Lq). pose proof (vacant_play_out s1 h fill q Rq).
    pose proof (vacant_play_in s1 h firm q Eq Fq).
    assert (2 * (vacant s firm / 2) <= 2 * (vacant (play s1 h q) firm / 2) + 2).
    { assert (vacant s firm <= vacant (play s1 h q) firm + 1 * 2) as V by lia.
      apply (Nat.div_le_mono _ _ 2) in V; [| lia]. rewrite Nat.div_add in V by lia. lia. }
    apply (IH (n - 1)); try lia.
    apply since_holder_move; auto.
Qed.

Lemma starts : vacant s0 L = count (mem L) /\ vacant s0 fill = count (mem fill) /\ vacant s0 firm = count (mem firm).
Proof.
  repeat split; apply vacant_start; intros p M.
  - apply A in M. apply M.
  - now apply (a_fill A).
  - now apply (a_firm A).
Qed.

(** [c] to move. *)
Lemma strategy_second :
  count (mem L) <= m + count (mem fill) + 2 * (count (mem firm) / 2) -> loses s0 c.
Proof.
  intros H. destruct starts as (EL & EF & ER).
  apply (strategy (vacant s0 L) 0); auto.
  - apply since_start.
  - now rewrite EL, EF, ER.
Qed.

(** [h] to move, with a point open to both that is not firm. *)
Lemma strategy_first_other q :
  legal s0 h q -> mem L q = true -> mem firm q = false ->
  count (mem L) < m + count (mem fill) + 2 * (count (mem firm) / 2 + 1) -> wins s0 h.
Proof.
  intros Le M R H. destruct starts as (EL & EF & ER).
  apply wins_by with (p := q); auto. unfold h at 2. rewrite opponent_involutive.
  assert (mem fill q = false) as Nf.
  { destruct (mem fill q) eqn:F; auto. apply (a_fill A) in F. destruct F. congruence. }
  pose proof Le as [E _].
  pose proof (vacant_play_in s0 h L q E M). pose proof (vacant_play_out s0 h fill q Nf).
  pose proof (vacant_play_out s0 h firm q R) as VR.
  apply (strategy (vacant s0 L) q); try lia.
  - now apply since_first_move.
  - rewrite VR, ER. lia.
Qed.

(** [h] to move, without. *)
Lemma strategy_first_own :
  count (mem L) < m + count (mem fill) + 2 * ((count (mem firm) + 1) / 2) -> wins s0 h.
Proof.
  intros H. destruct starts as (EL & EF & ER).
  pose proof (since_start 0) as S. pose proof (stay 0 s0 S).
  destruct (Nat.eq_dec (count (mem firm)) 0) as [Z | Z].
  - rewrite Z in H. simpl in H.
    destruct (vacant_pos s0 fill) as (q & Fq & Eq); [| lia |].
    { intros x X. apply (a_fill A) in X. apply X. }
    apply wins_by with (p := q); [apply (holder_legal 0); auto |].
    unfold h at 2. rewrite opponent_involutive.
    assert (mem L q = false) as Lq by (now apply (a_fill A)).
    pose proof (vacant_play_out s0 h L q Lq). pose proof (vacant_play_in s0 h fill q Eq Fq).
    apply (strategy (vacant s0 L) 0); try lia. apply since_holder_move; auto.
  - destruct (vacant_pos s0 firm) as (q & Fq & Eq); [| lia |].
    { intros x X. apply (a_firm A) in X. apply X. }
    apply wins_by with (p := q); [apply (holder_legal 0); auto |].
    unfold h at 2. rewrite opponent_involutive.
    assert (mem L q = true) as Lq by (now apply (a_firm A)).
    assert (mem fill q = false) as Rq.
    { destruct (mem fill q) eqn:R; auto. apply (a_fill A) in R. destruct R. congruence. }
    pose proof (vacant_play_in s0 h L q Eq Lq). pose proof (vacant_play_out s0 h fill q Rq).
    pose proof (vacant_play_in s0 h firm q Eq Fq).
    assert (count (mem firm) + 1 = vacant (play s0 h q) firm + 1 * 2) as V by lia.
    rewrite V, Nat.div_add in H by lia.
    apply (strategy (vacant s0 L) 0); try lia. apply since_holder_move; auto.
Qed.

(** ** Sets that keep an empty point

    [P] is a set of points that the blocks of [y] in it never leave, and [X] contains its
    empty points and those next to it. *)

Definition encloses (y : colour) (P : point -> Prop) (X : int) : Prop :=
  (forall u v, P u -> adjacent u v -> stone s0 y v \/ legal s0 y v -> P v) /\
  (forall u v, P u -> adjacent u v -> empty s0 v -> mem X v = true).

Lemma stay_stone q0 s y P X x :
  since q0 s -> encloses y P X -> P x -> stone s y x -> exists p, mem X p = true /\ empty s p.
Proof.
  intros S [C N] Px Sx. destruct (since_alive _ _ S y x Sx) as (r & q & Lr & Ar & Eq).
  assert (P r) as Pr.
  { apply (linked_closed columns P (stone s y) x r); auto. intros u v Pu Auv Sv.
    apply (C u); auto. destruct (colour_dec y c) as [-> | D].
    - destruct (since_other _ _ S v Sv) as [| M]; auto. right. now apply A.
    - apply opponent_other in D. subst y. now apply S. }
  exists q. split; auto. apply (N r); auto. apply (extends_empty rows columns s0 s); auto. apply S.
Qed.

Lemma stay_free q0 s P X u v :
  since q0 s -> encloses c P X -> (forall p, mem X p = true -> mem L p = true) ->
  u <> v -> mem X u = true -> mem X v = true -> mem firm u = false -> mem firm v = false -> P u -> P v ->
  exists p, mem X p = true /\ empty s p.
Proof.
  intros S En XL Nuv Xu Xv Fu Fv Pu Pv.
  assert (forall x, mem X x = true -> mem firm x = false -> P x ->
          (exists p, mem X p = true /\ empty s p) \/ x = q0) as K.
  { intros x Xx Fx Px.
    assert (empty s0 x) as [B E] by (apply XL in Xx; apply A in Xx; apply Xx).
    destruct (s x) as [d |] eqn:Sx.
    - destruct (colour_dec d c) as [-> | D].
      + left. apply (stay_stone q0 s c P X x); auto. now split.
      + right. apply opponent_other in D. subst d.
        destruct (since_holder _ _ S x) as [[_ H] | [H | [H | H]]]; auto; try congruence.
        * now split.
        * apply (a_fill A) in H. destruct H. apply XL in Xx. congruence.
    - left. exists x. split; auto. now split. }
  destruct (K u), (K v); auto. congruence.
Qed.

End Strategy.
