(** * The static test as a program

    [reserve] gives the sure and firm points of a side, [most] the sets that keep an empty
    point, and [judge] compares them, as docs/certificate-format.md describes. *)

From Coq Require Import Arith Lia List ZArith Bool Uint63.
Require Import Rules Game Sets Board Static.
Import ListNotations.

(** ** Sure and firm

    [keep] is always [diff closed fill], so that only [fill] has to be carried along. *)

(** Step 2: every block with a liberty in fill has one in keep. *)
Fixpoint guard (closed crossing : int) (ls : list int) (fill : int) : int :=
  match ls with
  | [] => fill
  | l :: r =>
    let at_fill := inter l fill in
    if none at_fill then guard closed crossing r fill
    else if none (inter l (diff closed fill)) then
      let near := inter at_fill crossing in
      guard closed crossing r (diff fill (low (if none near then at_fill else near)))
    else guard closed crossing r fill
  end.

(** Step 3: every open point next to fill is next to keep. *)
Fixpoint cover (f : fuel) (g : grid) (fill open : int) : int :=
  if none open then fill
  else match f with
  | Out => 0%uint63
  | More h =>
    let p := low (inter (next g (low open)) fill) in
    cover h g (diff fill p) (diff open (next g p))
  end.

(** Step 4: a component without a point of keep gives up a point of fill. *)
Fixpoint save (f : fuel) (g : grid) (ground safe fill rest : int) : int * int :=
  if none rest then (safe, inter fill safe)
  else match f with
  | Out => (safe, inter fill safe)
  | More h =>
    let p := low rest in
    let part := flood g ground p in
    save h g ground (union safe part) (diff fill p) (diff rest part)
  end.

(** Step 5, its last part. *)
Fixpoint spare (keep : int) (ls : list int) (firm : int) : int :=
  match ls with
  | [] => firm
  | l :: r => spare keep r (if none (inter l keep) then diff firm l else firm)
  end.

(** The points of fill, without those given up, and the firm points. *)
Definition reserve (g : grid) (v : view) (c : colour) : int * int :=
  let mine := of v c in
  let theirs := of v (opponent c) in
  let closed := diff (free v) (moves theirs) in
  let fill := guard closed (next g (moves theirs)) (libs theirs) (inter closed (moves mine)) in
  let open := diff (inter (moves theirs) (next g fill)) (next g (diff closed fill)) in
  let fill := cover full g fill open in
  let keep := diff closed fill in
  let ground := union (stones mine) closed in
  let safe := flood g ground keep in
  let (safe, sure) := save full g ground safe fill (diff fill safe) in
  let firm := inter (inter (moves mine) (moves theirs)) (next g safe) in
  if none firm then (sure, 0%uint63)
  else (sure, spare keep (libs theirs) (diff firm (next g (diff (moves theirs) (next g keep))))).

(** ** The most moves *)

Definition two (x : int) : bool := if none x then false else negb (lone x).

(** The number of sets found, and the points that are in none of them. *)
Fixpoint family (f : fuel) (g : grid) (ground own empties taken : int) (mover : bool) (seeds rest : int) (n : nat) : nat * int :=
  if none seeds then (n, rest)
  else match f with
  | Out => (n, rest)
  | More h =>
    let part := flood g ground (low seeds) in
    let seeds := diff seeds part in
    let set := inter (union part (next g part)) empties in
    if negb (none set) && none (diff set rest) && (negb (none (inter part own)) || (mover && two (diff set taken)))
    then family h g ground own empties taken mover seeds (diff rest set) (S n)
    else family h g ground own empties taken mover seeds rest n
  end.

(** Components next to a point where [c] may not play are left out at once. *)
Definition family_of (g : grid) (v : view) (c y : colour) (taken barred rest : int) (n : nat) : nat * int :=
  let mover := match c, y with Black, Black | White, White => true | _, _ => false end in
  let own := stones (of v y) in
  let ground := union own (moves (of v y)) in
  let seeds := if mover then ground else own in
  let seeds := diff seeds (flood g ground (inter barred ground)) in
  family full g ground own (free v) taken mover seeds rest n.

(** How many moves fewer than its legal ones [c] can make. *)
Definition spoiled (g : grid) (v : view) (c : colour) (taken : int) : nat :=
  let rest := moves (of v c) in
  let barred := diff (free v) rest in
  let barred := union barred (next g barred) in
  let (n, rest) := family_of g v c Black taken barred rest 0 in
  let (n, _) := family_of g v c White taken barred rest n in
  n.

(** ** The test *)

Inductive outcome := Won | Lost | Unknown.

(** With [Unknown] comes the number of replies and the slack together. *)
Definition judge (g : grid) (v : view) (c : colour) : outcome * nat :=
  let o := opponent c in
  let mine := moves (of v c) in
  let theirs := moves (of v o) in
  if none mine then (Lost, 0)
  else if none theirs then (Won, 0)
  else
    let (sure, firm) := reserve g v o in
    let replies := card mine in
    let enough := spoiled g v c firm + card sure + 2 * (card firm / 2) in
    if replies <=? enough then (Lost, 0)
    else
      let weight := replies + (replies - enough) in
      let shared := card (inter mine theirs) in
      let answers := card theirs in
      if card (diff mine theirs) + 2 * ((shared + 1) / 2) <=? (answers + 1) / 2 then (Unknown, weight)
      else
        let (sure, firm) := reserve g v c in
        let f := card firm in
        let turns := if f <? shared then f / 2 + 1 else (f + 1) / 2 in
        if answers <? spoiled g v o firm + card sure + 2 * turns then (Won, 0)
        else (Unknown, weight).

(** * Proofs *)

Section Judge.

Variables rows columns : nat.
Hypothesis small : rows * columns <= 63.

Notation on_board := (on_board rows columns).
Notation adjacent := (adjacent columns).
Notation linked := (linked columns).
Notation stone := (stone rows columns).
Notation empty := (empty rows columns).
Notation alive := (alive rows columns).
Notation legal := (legal rows columns).
Notation wins := (wins rows columns).
Notation loses := (loses rows columns).
Notation right := (right rows columns).

Let g := make_grid rows columns.

(** ** Guard *)

Lemma guard_subset closed crossing ls fill p :
  mem (guard closed crossing ls fill) p = true -> mem fill p = true.
Proof.
  revert fill. induction ls as [| l ls IH]; intros fill; cbn -[none inter diff low]; [trivial |].
  destruct (none (inter l fill)); [apply IH |]. destruct (none (inter l (diff closed fill))); [| apply IH].
  intros M. apply IH in M. rewrite mem_diff, andb_true_iff in M. apply M.
Qed.

Lemma guard_spec closed crossing ls fill l p :
  (forall q, mem fill q = true -> mem closed q = true) ->
  In l ls -> mem l p = true -> mem (guard closed crossing ls fill) p = true ->
  exists k, mem l k = true /\ mem closed k = true /\ mem (guard closed crossing ls fill) k = false.
Proof.
  revert fill. induction ls as [| a ls IH]; intros fill Sub; [easy |].
  assert (forall fill', (forall q, mem fill' q = true -> mem closed q = true) ->
     mem (guard closed crossing ls fill') p = true ->
     (exists k, mem a k = true /\ mem closed k = true /\ mem fill' k = false) \/ mem a p = false ->
     In l (a :: ls) -> mem l p = true ->
     exists k, mem l k = true /\ mem closed k = true /\ mem (guard closed crossing ls fill') k = false) as K.
  { intros fill' Sub' M H [<- | I] Mp.
    - destruct H as [(k & Ak & Ck & Fk) | H]; [| congruence].
      exists k. repeat split; auto. destruct (mem (guard closed crossing ls fill') k) eqn:G; auto.
      apply guard_subset in G. congruence.
    - now apply IH. }
  cbn -[none inter diff low In]. intros I Mp.
  destruct (none (inter a fill)) eqn:N1; [| destruct (none (inter a (diff closed fill))) eqn:N2]; intros M.
  - apply K; auto. right. rewrite none_inter in N1. destruct (mem a p) eqn:Ap; auto. exfalso.
    apply (N1 p); auto. now apply guard_subset in M.
  - apply K; auto.
    + intros q. rewrite mem_diff, andb_true_iff. intros [Q _]. auto.
    + left. set (y := if none (inter (inter a fill) crossing) then inter a fill else inter (inter a fill) crossing) in *.
      assert (none y = false) as Ny.
      { unfold y. destruct (none (inter (inter a fill) crossing)) eqn:N3; auto. }
      assert (forall q, mem y q = true -> mem a q = true /\ mem fill q = true) as Y.
      { intros q. unfold y. destruct (none (inter (inter a fill) crossing)); rewrite !mem_inter, !andb_true_iff; tauto. }
      destruct (low_spec y Ny) as (k & Mk & Lk). destruct (Y k Mk) as [Ak Fk].
      exists k. repeat split; auto. rewrite mem_diff, Fk, Lk, Nat.eqb_refl. auto.
  - apply K; auto. left. apply not_none in N2. destruct N2 as (k & N2).
    rewrite mem_inter, mem_diff, !andb_true_iff, negb_true_iff in N2. exists k. tauto.
Qed.

(** ** Cover *)

Lemma next_mono x y q :
  (forall p, mem y p = true -> on_board p) -> (forall p, mem x p = true -> mem y p = true) ->
  mem (next g x) q = true -> mem (next g y) q = true.
Proof.
  intros B Sub M. apply mem_next in M; auto. apply mem_next; auto.
  destruct M as [Bq (p & Mp & Ap)]. split; auto. exists p. auto.
Qed.

Lemma cover_subset f fill open p : mem (cover f g fill open) p = true -> mem fill p = true.
Proof.
  revert fill open. induction f as [| f IH]; intros fill open; cbn -[none inter diff low next]; destruct (none open); auto.
  - now rewrite mem_0.
  - intros M. apply IH in M. rewrite mem_diff, andb_true_iff in M. tauto.
Qed.

Lemma cover_spec f closed L fill open x :
  (forall p, mem closed p = true -> on_board p) -> (forall p, mem fill p = true -> mem closed p = true) ->
  (forall x, mem L x = true -> mem (next g fill) x = true -> mem (next g (diff closed fill)) x = true \/ mem open x = true) ->
  mem L x = true -> mem (next g (cover f g fill open)) x = true -> mem (next g (diff closed (cover f g fill open))) x = true.
Proof.
  intros B. revert fill open. induction f as [| f IH]; intros fill open Sub H Lx;
  cbn -[none inter diff low next]; destruct (none open) eqn:N.
  - intros M. destruct (H x Lx M) as [| O]; auto. rewrite none_spec in N. now rewrite N in O.
  - intros M. apply mem_next in M; auto; [| intros p; rewrite mem_0; discriminate].
    destruct M as [_ (p & M & _)]. now rewrite mem_0 in M.
  - intros M. destruct (H x Lx M) as [| O]; auto. rewrite none_spec in N. now rewrite N in O.
  - set (p := low (inter (next g (low open)) fill)).
    assert (forall q, mem p q = true -> mem fill q = true) as P.
    { intros q Mq. apply low_subset in Mq. rewrite mem_inter, andb_true_iff in Mq. tauto. }
    apply IH; auto.
    + intros q. rewrite mem_diff, andb_true_iff. intros [Q _]. auto.
    + intros y Ly My.
      assert (forall q, mem (diff closed (diff fill p)) q = true -> on_board q) as Bd.
      { intros q. rewrite mem_diff, andb_true_iff. intros [Q _]. auto. }
      assert (mem (next g fill) y = true) as My'.
      { apply (next_mono (diff fill p)); [intros q Q; now apply B, Sub | | exact My].
        intros q. rewrite mem_diff, andb_true_iff. tauto. }
      destruct (mem (next g p) y) eqn:Np.
      * left. apply (next_mono p); [exact Bd | | exact Np]. intros q Mq. rewrite !mem_diff, Mq, andb_false_r.
        rewrite andb_true_r. now apply Sub, P.
      * destruct (H y Ly My') as [K | O].
        -- left. apply (next_mono (diff closed fill)); [exact Bd | | exact K]. intros q. rewrite !mem_diff.
           destruct (mem closed q), (mem fill q); simpl; congruence.
        -- right. rewrite mem_diff, O, Np. auto.
Qed.

(** ** Save *)

Notation within x := (fun p => mem x p = true).

Lemma save_spec f closed ground fill0 safe fill rest safe' sure :
  (forall p, mem ground p = true -> on_board p) -> (forall p, mem fill0 p = true -> mem closed p = true) ->
  (forall p, mem closed p = true -> mem ground p = true) ->
  (forall p, mem rest p = true -> mem fill0 p = true) ->
  (forall p, mem fill p = true -> mem fill0 p = true) ->
  (forall x, mem safe x = true -> exists k, linked (within ground) x k /\ mem closed k = true /\ mem fill k = false) ->
  save f g ground safe fill rest = (safe', sure) ->
  (forall p, mem sure p = true -> mem fill0 p = true /\ mem safe' p = true) /\
  (forall x, mem safe' x = true -> exists k, linked (within ground) x k /\ mem closed k = true /\ mem sure k = false).
Proof.
  intros B F0 C. revert safe fill rest. induction f as [| f IH]; intros safe fill rest R F H E;
  cbn -[none inter diff low flood union] in E; destruct (none rest) eqn:N.
  1, 2, 3: injection E as <- <-; split; [intros p; rewrite mem_inter, andb_true_iff; intros [P Q]; auto |
    intros x Mx; destruct (H x Mx) as (k & K1 & K2 & K3); exists k; repeat split; auto; rewrite mem_inter, K3; auto].
  destruct (low_single rest N) as (p & P & Mp & Lp). rewrite Lp in E.
  apply IH in E; auto.
  - intros q. rewrite mem_diff, andb_true_iff. intros [Q _]. auto.
  - intros q. rewrite mem_diff, andb_true_iff. intros [Q _]. auto.
  - intros x. rewrite mem_union, orb_true_iff. intros [M | M].
    + destruct (H x M) as (k & K1 & K2 & K3). exists k. repeat split; auto. rewrite mem_diff, K3. auto.
    + apply mem_flood in M; auto.
      * destruct M as (q & Mq & Lq). rewrite mem_single in Mq by auto. apply Nat.eqb_eq in Mq. subst q.
        exists p. repeat split.
        -- now apply linked_sym.
        -- auto.
        -- rewrite mem_diff, mem_single, Nat.eqb_refl by auto. apply andb_false_r.
      * intros q Mq. rewrite mem_single in Mq by auto. apply Nat.eqb_eq in Mq. subst q. auto.
Qed.

Lemma spare_spec keep ls firm p :
  mem (spare keep ls firm) p = true ->
  mem firm p = true /\ forall l, In l ls -> mem l p = true -> exists k, mem l k = true /\ mem keep k = true.
Proof.
  revert firm. induction ls as [| a ls IH]; intros firm; cbn -[none inter diff].
  - intros M. split; auto. intros l [].
  - intros M. apply IH in M. destruct M as [M H]. destruct (none (inter a keep)) eqn:N.
    + rewrite mem_diff, andb_true_iff, negb_true_iff in M. split; [tauto |].
      intros l [<- | I] Ml; [destruct M; congruence | auto].
    + split; auto. intros l [<- | I] Ml; auto. apply not_none in N. destruct N as (k & N).
      rewrite mem_inter, andb_true_iff in N. exists k. auto.
Qed.

Lemma linked_first A p q : linked A p q -> p = q \/ exists a, adjacent p a /\ linked A a q.
Proof.
  induction 1 as [p Ap | p q r Hpq IH Hqr Ar]; auto.
  right. destruct IH as [-> | (a & Aa & La)].
  - exists r. split; auto. now constructor.
  - exists a. split; auto. now apply linked_step with (q := q).
Qed.

(** ** Reserve

    [c] is the side that moves against the reserve. *)
Lemma reserve_assets v s c sure firm :
  right v s -> reserve g v (opponent c) = (sure, firm) ->
  exists keep, assets rows columns s c keep sure firm (moves (of v c)).
Proof.
  intros R. unfold reserve. rewrite opponent_involutive. set (h := opponent c).
  set (L := moves (of v c)). set (M := moves (of v h)).
  set (closed := diff (free v) L).
  set (f1 := guard closed (next g L) (libs (of v c)) (inter closed M)).
  set (open := diff (inter L (next g f1)) (next g (diff closed f1))).
  set (f2 := cover full g f1 open). set (keep := diff closed f2).
  set (grd := union (stones (of v h)) closed).
  destruct (save full g grd (flood g grd keep) f2 (diff f2 (flood g grd keep))) as [safe sure'] eqn:Sv.
  set (firm0 := inter (inter M L) (next g safe)).
  set (firm1 := spare keep (libs (of v c)) (diff firm0 (next g (diff L (next g keep))))).
  intros E.
  assert (forall p, mem closed p = true <-> empty s p /\ mem L p = false) as Cl.
  { intros p. unfold closed. rewrite mem_diff, andb_true_iff, negb_true_iff, (right_free _ _ _ _ R). tauto. }
  assert (forall p, mem L p = true <-> legal s c p) as HL by apply R.
  assert (forall p, mem M p = true <-> legal s h p) as HM by apply R.
  assert (forall p, mem closed p = true -> on_board p) as Cb by (intros p H; apply Cl in H; apply H).
  assert (forall p, mem L p = true -> on_board p) as Lb by (intros p H; apply HL in H; apply H).
  assert (forall p, mem f2 p = true -> mem f1 p = true) as F21 by (intros p; apply cover_subset).
  assert (forall p, mem f1 p = true -> mem closed p = true) as F1c.
  { intros p H. apply guard_subset in H. rewrite mem_inter, andb_true_iff in H. tauto. }
  assert (forall p, mem grd p = true <-> ground rows columns s c L p) as G.
  { intros p. unfold grd, ground. rewrite mem_union, orb_true_iff, Cl, (right_stones _ _ _ _ R). tauto. }
  assert (forall p, mem grd p = true -> on_board p) as Gb.
  { intros p H. apply G in H. destruct H as [[H _] | [[H _] _]]; auto. }
  assert (forall p, mem closed p = true -> mem grd p = true) as Cg.
  { intros p H. unfold grd. rewrite mem_union, H. apply orb_true_r. }
  assert (forall p, mem keep p = true <-> mem closed p = true /\ mem f2 p = false) as K.
  { intros p. unfold keep. rewrite mem_diff, andb_true_iff, negb_true_iff. tauto. }
  assert (forall x, mem L x = true -> mem (next g f2) x = true -> mem (next g keep) x = true) as Cv.
  { intros x Lx. apply (cover_spec full closed L f1 open); auto.
    intros y Ly Ny. destruct (mem (next g (diff closed f1)) y) eqn:Nk; auto. right.
    unfold open. rewrite mem_diff, mem_inter, Ly, Ny, Nk. auto. }
  apply save_spec with (closed := closed) (fill0 := f2) in Sv; auto.
  2: { intros p. rewrite mem_diff, andb_true_iff. tauto. }
  2: { intros x H. apply mem_flood in H; auto.
       - destruct H as (k & Mk & Lk). exists k. apply K in Mk. split; [now apply linked_sym | auto].
       - intros p Mp. apply Cg. now apply K. }
  destruct Sv as [Sure Safe].
  assert (sure = sure' /\ forall p, mem firm p = true -> mem firm1 p = true) as [-> Fm].
  { destruct (none firm0); injection E as <- <-; split; auto. intros p. now rewrite mem_0. }
  clear E.
  assert (forall p, mem firm p = true -> mem firm0 p = true /\ mem (next g (diff L (next g keep))) p = false /\
          forall l, In l (libs (of v c)) -> mem l p = true -> exists k, mem l k = true /\ mem keep k = true) as Fi.
  { intros p Mp. apply Fm in Mp. apply spare_spec in Mp. destruct Mp as [Mp H].
    rewrite mem_diff, andb_true_iff, negb_true_iff in Mp. tauto. }
  assert (forall p, mem firm p = true -> legal s h p /\ legal s c p /\ mem (next g safe) p = true) as Fo.
  { intros p Mp. apply Fi in Mp. destruct Mp as [Mp _]. unfold firm0 in Mp.
    rewrite !mem_inter, !andb_true_iff, HM, HL in Mp. tauto. }
  assert (forall x, mem safe x = true -> on_board x) as Sb.
  { intros x Mx. apply Safe in Mx. destruct Mx as (k & Lk & _). apply linked_within in Lk. apply Gb. apply Lk. }
  assert (forall p, mem keep p = true -> on_board p) as Kb.
  { intros p Mp. apply K in Mp. apply Cb. apply Mp. }
  assert (forall l p, In l (libs (of v c)) -> mem l p = true -> mem f1 p = true ->
          exists k, mem l k = true /\ mem closed k = true /\ mem f1 k = false) as Gd.
  { intros l p. apply guard_spec. intros q. rewrite mem_inter, andb_true_iff. tauto. }
  clear Fm. clearbody firm1 firm0. clearbody grd. clearbody keep. clearbody f2. clearbody open. clearbody f1. clearbody closed.
  exists (diff closed sure').
  assert (forall k, mem keep k = true -> mem (diff closed sure') k = true) as Kk.
  { intros k Mk. apply K in Mk. destruct Mk as [Ck Fk]. rewrite mem_diff, Ck. simpl.
    destruct (mem sure' k) eqn:Sk; auto. apply Sure in Sk. destruct Sk. congruence. }
  constructor.
  - apply R.
  - exact HL.
  - intros p. rewrite mem_diff, andb_true_iff. intros [H _]. now apply Cl.
  - intros p H. apply Sure in H. apply Cl. apply F1c. apply F21. apply H.
  - intros p H. rewrite mem_diff, H, andb_false_r. discriminate.
  - intros p H. apply Fo in H. destruct H as (_ & H & _). split; [apply H | now apply HL].
  - intros p x H Apx Sx. destruct (proj1 (right_blocks _ _ _ _ R c) x Sx) as (l & I & Ll).
    assert (empty s p) as Ep.
    { destruct H as [H | H].
      - apply Sure in H. destruct H as [H _]. apply F21, F1c, Cl in H. apply H.
      - apply Fo in H. destruct H as (_ & H & _). apply H. }
    assert (mem l p = true) as Mp.
    { apply Ll. split; auto. exists x. split; [now constructor | now apply adjacent_sym]. }
    assert (exists k, mem l k = true /\ mem keep k = true) as (k & Mk & Kk').
    { destruct H as [H | H].
      - apply Sure in H. destruct H as [H _]. apply F21 in H.
        destruct (Gd l p I Mp H) as (k & K1 & K2 & K3).
        exists k. split; [exact K1 |]. apply K. split; [exact K2 |].
        destruct (mem f2 k) eqn:Fk; [| reflexivity]. apply F21 in Fk. congruence.
      - apply Fi in H. now apply H. }
    apply Ll in Mk. destruct Mk as [_ (r & Lr & Ar)]. exists k, r. auto.
  - intros p x H Apx Lx.
    assert (mem (next g keep) x = true) as Nx.
    { destruct H as [H | H].
      - apply Cv; auto. apply mem_next; auto. split; [now apply Lb |]. exists p. split; auto. now apply Sure.
      - apply Fi in H as H'. destruct H' as (_ & H' & _).
        destruct (mem (next g keep) x) eqn:Nx; auto. rewrite <- H'. apply mem_next; auto.
        + intros q. rewrite mem_diff, andb_true_iff. intros [Q _]. auto.
        + split; [apply Fo in H; apply H |]. exists x. split; [rewrite mem_diff, Lx, Nx; auto | now apply adjacent_sym]. }
    apply mem_next in Nx; auto. destruct Nx as [_ (k & Mk & Ak)]. exists k. split; auto. now apply adjacent_sym.
  - intros p H.
    assert (forall a b, linked (within grd) a b -> linked (ground rows columns s c L) a b) as Lg.
    { intros a b. apply linked_mono. intros x. apply G. }
    destruct H as [H | H].
    + destruct (Sure p H) as [_ Sp]. destruct (Safe p Sp) as (k & Lk & Ck & Nk).
      apply linked_first in Lk. destruct Lk as [-> | (a & Aa & La)]; [congruence |].
      exists a, k. repeat split; auto. rewrite mem_diff, Ck, Nk. auto.
    + apply Fo in H. destruct H as (_ & _ & H). apply mem_next in H; auto.
      destruct H as [_ (a & Ma & Aa)]. destruct (Safe a Ma) as (k & Lk & Ck & Nk).
      exists a, k. repeat split; auto.
      * now apply adjacent_sym.
      * rewrite mem_diff, Ck, Nk. auto.
Qed.

(** ** Most *)

Section Most.

Variables (v : view) (s : position) (c : colour) (keep fill firm : int).
Hypothesis R : right v s.
Hypothesis A : assets rows columns s c keep fill firm (moves (of v c)).

Notation since := (since rows columns s c keep fill firm (moves (of v c))).

Lemma family_spec f y mover seeds rest n n' rest' q0 t :
  (mover = true -> y = c) ->
  (forall p, mem seeds p = true -> mem (union (stones (of v y)) (moves (of v y))) p = true) ->
  (forall p, mem rest p = true -> mem (moves (of v c)) p = true) ->
  since q0 t ->
  family f g (union (stones (of v y)) (moves (of v y))) (stones (of v y)) (free v) firm mover seeds rest n = (n', rest') ->
  n' + vacant t rest' <= n + vacant t rest /\ forall p, mem rest' p = true -> mem (moves (of v c)) p = true.
Proof.
  intros Y. revert seeds rest n. induction f as [| f IH]; intros seeds rest n Sd Rs St E;
  cbn -[none inter diff low flood union next two] in E; destruct (none seeds) eqn:N;
  try (injection E as <- <-; split; auto; fail).
  set (ground := union (stones (of v y)) (moves (of v y))) in *.
  destruct (low_single seeds N) as (p & P & Mp & Lp). rewrite Lp in E.
  set (part := flood g ground (single p)) in *.
  set (set' := inter (union part (next g part)) (free v)) in *.
  assert (forall q, mem ground q = true <-> stone s y q \/ legal s y q) as G.
  { intros q. unfold ground. rewrite mem_union, orb_true_iff, (right_stones _ _ _ _ R), (right_moves _ _ _ _ R). tauto. }
  assert (forall q, mem ground q = true -> on_board q) as Gb.
  { intros q H. apply G in H. destruct H as [[H _] | [[H _] _]]; auto. }
  assert (forall q, mem (single p) q = true -> mem ground q = true) as Sg.
  { intros q H. rewrite mem_single in H by auto. apply Nat.eqb_eq in H. subst q. auto. }
  assert (forall q, mem part q = true <-> linked (within ground) p q) as Pt.
  { intros q. unfold part, g. rewrite mem_flood by auto. split.
    - intros (x & Mx & Lx). rewrite mem_single in Mx by auto. apply Nat.eqb_eq in Mx. now subst x.
    - intros H. exists p. rewrite mem_single by auto. split; auto. apply Nat.eqb_refl. }
  assert (forall q, mem part q = true -> mem ground q = true) as Pg.
  { intros q H. apply Pt in H. apply linked_within in H. apply H. }
  assert (encloses rows columns s y (within part) set') as En.
  { split.
    - intros a b Ma Aab H. apply Pt. apply linked_step with (q := a); auto. now apply Pt. now apply G.
    - intros a b Ma Aab H. unfold set'. rewrite mem_inter, mem_union. apply andb_true_iff. split.
      + apply orb_true_iff. right. apply mem_next; auto. split; [apply H |]. exists a. auto.
      + now apply (right_free _ _ _ _ R). }
  destruct (negb (none set') && none (diff set' rest) && (negb (none (inter part (stones (of v y)))) || mover && two (diff set' firm))) eqn:T.
  - rewrite !andb_true_iff, orb_true_iff, andb_true_iff, !negb_true_iff, none_subset in T. destruct T as [[_ Sub] T].
    assert (exists q, mem set' q = true /\ empty t q) as (q & Mq & Eq).
    { destruct T as [T | [Tm T]].
      - apply not_none in T. destruct T as (x & T). rewrite mem_inter, andb_true_iff in T. destruct T as [Tx Sx].
        apply (stay_stone rows columns s c keep fill firm (moves (of v c)) A q0 t y (within part) set' x); auto.
        apply St. now apply (right_stones _ _ _ _ R).
      - specialize (Y Tm). subst y. unfold two in T. destruct (none (diff set' firm)) eqn:Nf; [discriminate |].
        apply negb_true_iff in T. destruct (proj2 (lone_spec _ Nf) T) as (a & b & Nab & Ma & Mb).
        rewrite mem_diff, andb_true_iff, negb_true_iff in Ma, Mb. destruct Ma as [Ma Fa], Mb as [Mb Fb].
        assert (forall x, mem set' x = true -> mem part x = true) as Sp.
        { intros x Mx. pose proof (Rs x (Sub x Mx)) as Lx. unfold set' in Mx.
          rewrite mem_inter, mem_union, andb_true_iff, orb_true_iff in Mx. destruct Mx as [[Mx | Mx] _]; auto.
          apply mem_next in Mx; auto. destruct Mx as [_ (r & Mr & Ar)]. apply Pt.
          apply linked_step with (q := r); auto; [now apply Pt |].
          unfold ground. rewrite mem_union, Lx. apply orb_true_r. }
        apply (stay_free rows columns s c keep fill firm (moves (of v c)) A q0 t (within part) set' a b); auto. }
    apply IH in E; auto.
    + pose proof (vacant_diff rows columns t rest set' q Sub Mq Eq). split; [lia | apply E].
    + intros x. rewrite mem_diff, andb_true_iff. intros [H _]. auto.
    + intros x. rewrite mem_diff, andb_true_iff. intros [H _]. auto.
  - apply IH in E; auto. intros x. rewrite mem_diff, andb_true_iff. intros [H _]. auto.
Qed.

Lemma family_of_spec y barred rest n n' rest' q0 t :
  (forall p, mem rest p = true -> mem (moves (of v c)) p = true) ->
  since q0 t ->
  family_of g v c y firm barred rest n = (n', rest') ->
  n' + vacant t rest' <= n + vacant t rest /\ forall p, mem rest' p = true -> mem (moves (of v c)) p = true.
Proof.
  intros Rs St E. unfold family_of in E. revert E. apply (family_spec full y _ _ _ _ _ _ q0 t); [| | exact Rs | exact St].
  - destruct c, y; auto; discriminate.
  - intros p. rewrite mem_diff, andb_true_iff. intros [H _].
    destruct c, y; auto; rewrite mem_union, H; auto.
Qed.

Lemma spoiled_spec q0 t : since q0 t -> spoiled g v c firm <= vacant t (moves (of v c)).
Proof.
  intros St. unfold spoiled.
  set (barred := union _ _).
  destruct (family_of g v c Black firm barred (moves (of v c)) 0) as [n1 r1] eqn:E1.
  destruct (family_of g v c White firm barred r1 n1) as [n2 r2] eqn:E2.
  eapply family_of_spec in E1; eauto. destruct E1 as [H1 R1].
  eapply family_of_spec in E2; eauto. destruct E2 as [H2 _]. lia.
Qed.

End Most.

(** ** Judge *)

Definition holds (r : outcome) (s : position) (c : colour) : Prop :=
  match r with Won => wins s c | Lost => loses s c | Unknown => True end.

Lemma judge_sound v s c : right v s -> holds (fst (judge g v c)) s c.
Proof.
  intros R. unfold judge. set (o := opponent c).
  assert (opponent o = c) as Eo by apply opponent_involutive.
  destruct (none (moves (of v c))) eqn:N1.
  { simpl. apply loses_if. intros p Le. apply (right_moves _ _ _ _ R) in Le. rewrite none_spec in N1. congruence. }
  destruct (none (moves (of v o))) eqn:N2.
  { simpl. apply not_none in N1. destruct N1 as (p & M). apply (right_moves _ _ _ _ R) in M.
    apply wins_by with (p := p); auto. apply loses_if. intros q Le. exfalso.
    apply (legal_before rows columns s) in Le; [| apply play_extends; apply M].
    apply (right_moves _ _ _ _ R) in Le. rewrite none_spec in N2. unfold o in N2. congruence. }
  destruct (reserve g v o) as [sure firm] eqn:Re.
  rewrite !card_spec.
  destruct (Nat.leb_spec (count (mem (moves (of v c)))) (spoiled g v c firm + count (mem sure) + 2 * (count (mem firm) / 2))) as [H | H].
  { cbn [fst holds]. destruct (reserve_assets v s c sure firm R Re) as (keep & A).
    apply (strategy_second rows columns small s c keep sure firm (moves (of v c)) A (spoiled g v c firm)); auto.
    apply spoiled_spec; auto. }
  destruct (_ <=? _); [exact I |].
  destruct (reserve g v c) as [sure' firm'] eqn:Re'.
  rewrite <- Eo in Re'. destruct (reserve_assets v s o sure' firm' R Re') as (keep & A).
  rewrite !card_spec.
  destruct (Nat.ltb_spec (count (mem (moves (of v o))))
    (spoiled g v o firm' + count (mem sure') +
     2 * (if count (mem firm') <? count (mem (inter (moves (of v c)) (moves (of v o)))) then count (mem firm') / 2 + 1
          else (count (mem firm') + 1) / 2))) as [H' | H']; [| exact I].
  cbn [fst holds]. rewrite <- Eo.
  destruct (Nat.ltb_spec (count (mem firm')) (count (mem (inter (moves (of v c)) (moves (of v o)))))) as [F | F].
  - assert (exists q, mem (inter (moves (of v c)) (moves (of v o))) q = true /\ mem firm' q = false) as (q & Mq & Fq).
    { destruct (none (diff (inter (moves (of v c)) (moves (of v o))) firm')) eqn:N3.
      - rewrite none_subset in N3.
        exfalso. assert (count (mem (inter (moves (of v c)) (moves (of v o)))) <= count (mem firm')).
        { apply count_mono. intros q _. auto. }
        lia.
      - apply not_none in N3. destruct N3 as (q & N3). rewrite mem_diff, andb_true_iff, negb_true_iff in N3. exists q. auto. }
    rewrite mem_inter, andb_true_iff in Mq. destruct Mq as [Mc Mo].
    apply (strategy_first_other rows columns small s o keep sure' firm' (moves (of v o)) A (spoiled g v o firm')) with (q := q); auto.
    + apply spoiled_spec; auto.
    + rewrite Eo. now apply (right_moves _ _ _ _ R).
  - apply (strategy_first_own rows columns small s o keep sure' firm' (moves (of v o)) A (spoiled g v o firm')); auto.
    apply spoiled_spec; auto.
Qed.

End Judge.
