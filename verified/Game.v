(** * Facts about the game

    Blocks, legal moves that only become fewer, and symmetries. *)

From Coq Require Import Arith Lia List.
Require Import Rules.

Scheme wins_mut := Induction for wins Sort Prop
with loses_mut := Induction for loses Sort Prop.

Lemma opponent_involutive c : opponent (opponent c) = c.
Proof. now destruct c. Qed.

Lemma opponent_other c d : d <> c -> d = opponent c.
Proof. destruct c, d; simpl; congruence. Qed.

Lemma opponent_neq c : opponent c <> c.
Proof. now destruct c. Qed.

Lemma colour_dec (c d : colour) : {c = d} + {c <> d}.
Proof. decide equality. Qed.

Section Game.

Variables rows columns : nat.

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

(** ** The specification makes sense: nobody both wins and loses. *)

Lemma wins_not_loses s c : wins s c -> ~ loses s c.
Proof.
  apply (wins_mut rows columns (fun s c _ => ~ loses s c) (fun s c _ => ~ wins s c)).
  - intros s' c' p Hp Hl IH H. inversion H; subst. auto.
  - intros s' c' _ IH H. inversion H; subst. exact (IH _ H0 H1).
Qed.

(** ** Walks *)

Lemma adjacent_sym p q : adjacent p q -> adjacent q p.
Proof. unfold Rules.adjacent, differ_by_one. intuition. Qed.

Lemma adjacent_irrefl p : ~ adjacent p p.
Proof. unfold Rules.adjacent, differ_by_one. lia. Qed.

Lemma linked_within A p q : linked A p q -> A p /\ A q.
Proof. induction 1; tauto. Qed.

Lemma linked_trans A p q r : linked A p q -> linked A q r -> linked A p r.
Proof.
  intros Hpq Hqr. induction Hqr; auto.
  apply linked_step with (q := q); auto.
Qed.

Lemma linked_before (A : point -> Prop) p q r : A p -> adjacent p q -> linked A q r -> linked A p r.
Proof.
  intros Ap Hpq Hqr. apply linked_trans with (q := q); auto.
  apply linked_step with (q := p); auto.
  - now constructor.
  - now apply linked_within in Hqr.
Qed.

Lemma linked_sym A p q : linked A p q -> linked A q p.
Proof.
  induction 1 as [p Ap | p q r Hpq IH Hqr Ar].
  - now constructor.
  - apply linked_before with (q := q); auto. now apply adjacent_sym.
Qed.

Lemma linked_mono (A B : point -> Prop) p q : (forall x, A x -> B x) -> linked A p q -> linked B p q.
Proof.
  intros AB. induction 1.
  - constructor; auto.
  - apply linked_step with (q := q); auto.
Qed.

(** A walk within [B] that starts in [A] stays in [A] or leaves it somewhere. *)
Lemma walk (A B : point -> Prop) p r :
  (forall q, B q -> A q \/ ~ A q) -> A p -> linked B p r ->
  linked A p r \/ exists x y, linked A p x /\ adjacent x y /\ B y /\ ~ A y.
Proof.
  intros dec Ap. induction 1 as [p Bp | p q r Hpq IH Hqr Br].
  - left. now constructor.
  - destruct (IH Ap) as [Hq | out]; [| right; exact out].
    destruct (dec r Br) as [Ar | nAr].
    + left. apply linked_step with (q := q); auto.
    + right. exists q, r. auto.
Qed.

(** A set that no step within [B] leaves contains all walks that start in it. *)
Lemma linked_closed (A B : point -> Prop) p r :
  (forall x y, A x -> adjacent x y -> B y -> A y) -> A p -> linked B p r -> A r.
Proof. intros cl Ap. induction 1; eauto. Qed.

(** ** More stones *)

(** [t] has the stones of [s] and perhaps more. *)
Definition extends (s t : position) : Prop :=
  forall c p, stone s c p -> stone t c p.

Lemma extends_empty s t p : extends s t -> empty t p -> empty s p.
Proof.
  intros E [B N]. split; auto.
  destruct (s p) as [c |] eqn:S; auto.
  destruct (E c p) as [_ S']; [now split | congruence].
Qed.

Lemma extends_refl s : extends s s.
Proof. intros c p; auto. Qed.

Lemma extends_trans s t u : extends s t -> extends t u -> extends s u.
Proof. intros A B c p H. auto. Qed.

Lemma play_same s c p : play s c p p = Some c.
Proof. unfold play. now rewrite Nat.eqb_refl. Qed.

Lemma play_other s c p q : q <> p -> play s c p q = s q.
Proof. intros H. unfold play. apply Nat.eqb_neq in H. now rewrite H. Qed.

Lemma play_extends s c p : empty s p -> extends s (play s c p).
Proof.
  intros [_ E] d q [B S]. split; auto.
  rewrite play_other; congruence.
Qed.

Lemma play_extends_play s t c p : extends s t -> extends (play s c p) (play t c p).
Proof.
  intros E d q [B S]. split; auto. unfold play in *.
  destruct (q =? p); auto. now apply E.
Qed.

Lemma stone_dec s c p : on_board p -> stone s c p \/ ~ stone s c p.
Proof.
  intros B. unfold Rules.stone. destruct (s p) as [d |]; [destruct (colour_dec d c) |]; subst;
  try (left; tauto); right; intros [_ H]; congruence.
Qed.

(** A block without a liberty has none with more stones on the board. *)
Lemma alive_before s t : extends s t -> alive t -> alive s.
Proof.
  intros E At c p Sp.
  destruct (At c p (E _ _ Sp)) as (q & r & Hq & Hqr & Er).
  destruct (walk (stone s c) (stone t c) p q) as [W | (x & y & W & Hxy & Sy & nSy)]; auto.
  - intros z [B _]. now apply stone_dec.
  - exists q, r. split; [| split]; auto. now apply (extends_empty s t).
  - exists x, y. split; [| split]; auto.
    destruct Sy as [B Sy]. split; auto.
    destruct (s y) as [d |] eqn:Sd; auto.
    destruct (E d y) as [_ F]; [now split |].
    exfalso. apply nSy. split; auto. congruence.
Qed.

(** So a move that is not legal never becomes legal. *)
Lemma legal_before s t c p : extends s t -> legal t c p -> legal s c p.
Proof.
  intros E [Ep A]. split.
  - now apply (extends_empty s t).
  - apply alive_before with (t := play t c p); auto. now apply play_extends_play.
Qed.

(** ** Symmetries *)

(** [f] is a symmetry of the board, and [g] undoes it. *)
Definition symmetry (f g : point -> point) : Prop :=
  (forall p, on_board p -> on_board (f p) /\ g (f p) = p) /\
  (forall p, on_board p -> on_board (g p) /\ f (g p) = p) /\
  (forall p q, on_board p -> on_board q -> (adjacent p q <-> adjacent (f p) (f q))).

Lemma symmetry_inverse f g : symmetry f g -> symmetry g f.
Proof.
  intros (F & G & A). split; [| split]; auto.
  intros p q Bp Bq. destruct (G p Bp) as [Bgp fgp], (G q Bq) as [Bgq fgq].
  rewrite (A (g p) (g q)) by auto. now rewrite fgp, fgq.
Qed.

Lemma symmetry_id : symmetry (fun p => p) (fun p => p).
Proof. repeat split; auto. Qed.

Lemma symmetry_adjacent f g p q :
  symmetry f g -> on_board p -> on_board q -> adjacent p q -> adjacent (f p) (f q).
Proof. intros (_ & _ & A) Bp Bq H. exact (proj1 (A p q Bp Bq) H). Qed.

(** [t] is [s] moved by [f]. *)
Definition image (f : point -> point) (s t : position) : Prop :=
  forall p, on_board p -> t (f p) = s p.

Lemma image_inverse f g s t : symmetry f g -> image f s t -> image g t s.
Proof.
  intros (F & G & _) I p B. destruct (G p B) as [B' E].
  rewrite <- (I (g p)) by auto. now rewrite E.
Qed.

Lemma image_stone f g s t c p : symmetry f g -> image f s t -> stone s c p -> stone t c (f p).
Proof.
  intros (F & _) I [B S]. split; [now apply F |]. now rewrite I.
Qed.

Lemma image_empty f g s t p : symmetry f g -> image f s t -> empty s p -> empty t (f p).
Proof.
  intros (F & _) I [B S]. split; [now apply F |]. now rewrite I.
Qed.

Lemma image_linked f g s t c p q :
  symmetry f g -> image f s t -> linked (stone s c) p q -> linked (stone t c) (f p) (f q).
Proof.
  intros Y I. induction 1 as [p Sp | p q r Hpq IH Hqr Sr].
  - constructor. eapply image_stone; eauto.
  - apply linked_step with (q := f q); auto.
    + apply linked_within in Hpq. destruct Hpq as [_ [Bq _]], Sr as [Br _].
      eapply symmetry_adjacent; eauto.
    + eapply image_stone; eauto.
Qed.

Lemma image_alive f g s t : symmetry f g -> image f s t -> alive s -> alive t.
Proof.
  intros Y I A c p [B S].
  pose proof Y as (_ & G & _). destruct (G p B) as [Bg E].
  destruct (A c (g p)) as (q & r & Hq & Hqr & Er).
  { split; auto. rewrite <- (I (g p)) by auto. now rewrite E. }
  exists (f q), (f r). split; [| split].
  - rewrite <- E. eapply image_linked; eauto.
  - apply linked_within in Hq. destruct Hq as [_ [Bq _]], Er as [Br _].
    eapply symmetry_adjacent; eauto.
  - eapply image_empty; eauto.
Qed.

Lemma image_play f g s t c p :
  symmetry f g -> image f s t -> on_board p -> image f (play s c p) (play t c (f p)).
Proof.
  intros (F & _) I Bp q B. unfold play.
  destruct (Nat.eqb_spec q p) as [-> | N].
  - now rewrite Nat.eqb_refl.
  - assert (f q <> f p) as N'.
    { intros H. apply N. destruct (F q B) as [_ <-], (F p Bp) as [_ <-]. now f_equal. }
    apply Nat.eqb_neq in N'. rewrite N'. auto.
Qed.

Lemma image_legal f g s t c p : symmetry f g -> image f s t -> legal s c p -> legal t c (f p).
Proof.
  intros Y I [E A]. split.
  - eapply image_empty; eauto.
  - eapply image_alive with (f := f); eauto. destruct E as [B _]. eapply image_play; eauto.
Qed.

Lemma image_wins f g s t c : symmetry f g -> image f s t -> wins s c -> wins t c.
Proof.
  intros Y I W. revert t I. revert W.
  apply (wins_mut rows columns (fun s c _ => forall t, image f s t -> wins t c)
                               (fun s c _ => forall t, image f s t -> loses t c)).
  - intros s' c' p Hp _ IH t I. apply wins_by with (p := f p).
    + eapply image_legal; eauto.
    + apply IH. destruct Hp as [[B _] _]. eapply image_play; eauto.
  - intros s' c' _ IH t I. apply loses_if. intros p Hp.
    assert (symmetry g f) as Y' by now apply symmetry_inverse.
    assert (image g t s') as I' by (eapply image_inverse; eauto).
    pose proof Hp as [[B _] _].
    assert (f (g p) = p) as E by (now apply Y).
    apply (IH (g p)).
    + eapply image_legal; eauto.
    + rewrite <- E at 2. eapply image_play; eauto. now apply Y.
Qed.

Lemma image_loses f g s t c : symmetry f g -> image f s t -> loses s c -> loses t c.
Proof.
  intros Y I L. apply loses_if. intros p Hp.
  assert (symmetry g f) as Y' by now apply symmetry_inverse.
  assert (image g t s) as I' by (eapply image_inverse; eauto).
  pose proof Hp as [[B _] _].
  assert (f (g p) = p) as E by (now apply Y).
  inversion L as [s' c' H]; subst.
  apply (image_wins f g (play s c (g p))); auto.
  - rewrite <- E at 2. eapply image_play; eauto. now apply Y.
  - apply H. eapply image_legal; eauto.
Qed.

(** The same stones. *)
Definition same (s t : position) : Prop := forall p, on_board p -> t p = s p.

Lemma same_wins s t c : same s t -> wins s c -> wins t c.
Proof. intros H. apply (image_wins _ _ _ _ _ symmetry_id). exact H. Qed.

Lemma same_loses s t c : same s t -> loses s c -> loses t c.
Proof. intros H. apply (image_loses _ _ _ _ _ symmetry_id). exact H. Qed.

End Game.
