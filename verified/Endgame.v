(** * The endgame search

    Its results are right whatever the order of moves, the limit and the scores; only the
    static test and the memory of results matter for that. *)

From Coq Require Import Arith Lia List ZArith Bool Uint63.
Require Import Rules Game Sets Board Static Judge.
Import ListNotations.

(** ** Memory

    A search tree. Nothing that is proven depends on the order of its keys. *)

Inductive tree :=
| Leaf
| Node (left : tree) (key b w : int) (c : colour) (r : outcome) (right : tree).

Definition hash (b w : int) : int :=
  (let x := b * 2185794412134399015 lxor (w * 3418725634928179663) in x lxor (x >> 31))%uint63.

Definition same_colour (c d : colour) : bool :=
  match c, d with Black, Black | White, White => true | _, _ => false end.

Fixpoint find (t : tree) (key b w : int) (c : colour) : option outcome :=
  match t with
  | Leaf => None
  | Node l k b' w' c' r right =>
    if (key <? k)%uint63 then find l key b w c
    else if ((k =? key) && (b =? b') && (w =? w'))%uint63 && same_colour c c' then Some r
    else find right key b w c
  end.

Fixpoint insert (t : tree) (key b w : int) (c : colour) (r : outcome) : tree :=
  match t with
  | Leaf => Node Leaf key b w c r Leaf
  | Node l k b' w' c' r' right =>
    if (key <? k)%uint63 then Node (insert l key b w c r) k b' w' c' r' right
    else Node l k b' w' c' r' (insert right key b w c r)
  end.

(** All that a tree remembers has a property. *)
Fixpoint all_facts (P : int -> int -> colour -> outcome -> Prop) (t : tree) : Prop :=
  match t with
  | Leaf => True
  | Node l _ b w c r right => all_facts P l /\ P b w c r /\ all_facts P right
  end.

Lemma same_colour_spec c d : same_colour c d = true -> c = d.
Proof. destruct c, d; simpl; congruence. Qed.

Lemma find_fact P t key b w c r : all_facts P t -> find t key b w c = Some r -> P b w c r.
Proof.
  induction t as [| l IHl k b' w' c' r' right IHr]; simpl; [discriminate |].
  intros (Fl & F & Fr). destruct (ltb key k); auto.
  destruct ((k =? key) && (b =? b') && (w =? w'))%uint63 eqn:E; simpl; auto.
  destruct (same_colour c c') eqn:C; auto. intros H. injection H as <-.
  rewrite !andb_true_iff, !eqb_spec in E. destruct E as [[_ ->] ->]. apply same_colour_spec in C. now subst.
Qed.

Lemma insert_fact P t key b w c r : all_facts P t -> P b w c r -> all_facts P (insert t key b w c r).
Proof.
  induction t as [| l IHl k b' w' c' r' right IHr]; simpl; auto.
  intros (Fl & F & Fr) H. destruct (ltb key k); simpl; auto.
Qed.

(** Constants of the format. *)
Definition eight : nat := 8.
Definition thirty_two : nat := 32.
Definition high : nat := thirty_two * thirty_two.  (* so that no score is negative *)

Global Opaque eight thirty_two high.

(** ** Experience: how often a move was tried, and how often it won *)

Inductive experience :=
| Never
| Seen (left : experience) (key : int) (tries wins : nat) (right : experience).

Fixpoint worth (e : experience) (key : int) : nat :=
  match e with
  | Never => 0
  | Seen l k t w r =>
    if (key =? k)%uint63 then thirty_two * w / (t + 1) else if (key <? k)%uint63 then worth l key else worth r key
  end.

Fixpoint learn (e : experience) (key : int) (won : nat) : experience :=
  match e with
  | Never => Seen Never key 1 won Never
  | Seen l k t w r =>
    if (key =? k)%uint63 then Seen l k (t + 1) (w + won) r
    else if (key <? k)%uint63 then Seen (learn l key won) k t w r
    else Seen l k t w (learn r key won)
  end.

Definition scatter (b : int) : int := (b * 2185794412134399015)%uint63.

Record state := State {
  nodes : nat;
  memory : tree;
  black_tried : experience;
  white_tried : experience
}.

Definition tried (st : state) (c : colour) : experience :=
  match c with Black => black_tried st | White => white_tried st end.

Definition learned (st : state) (c : colour) (b : int) (won : nat) : state :=
  match c with
  | Black => State (nodes st) (memory st) (learn (black_tried st) (scatter b) won) (white_tried st)
  | White => State (nodes st) (memory st) (black_tried st) (learn (white_tried st) (scatter b) won)
  end.

Definition recall (m : tree) (v : view) (c : colour) : option outcome :=
  match m with
  | Leaf => None
  | _ => let b := stones (black v) in let w := stones (white v) in find m (hash b w) b w c
  end.

Definition remember (st : state) (v : view) (c : colour) (r : outcome) : state :=
  let b := stones (black v) in let w := stones (white v) in
  State (nodes st) (insert (memory st) (hash b w) b w c r) (black_tried st) (white_tried st).

Definition counted (st : state) : state :=
  State (nodes st + 1) (memory st) (black_tried st) (white_tried st).

(** ** Moves *)

Record candidate := Candidate { score : nat; place : int; after : view }.

(** The best first; of equal ones, the one that came first. *)
Fixpoint rank (x : candidate) (l : list candidate) : list candidate :=
  match l with
  | [] => [x]
  | y :: r => if score y <? score x then x :: l else y :: rank x r
  end.

Inductive generated := Winning | Undecided (l : list candidate) | Stuck.

Fixpoint generate (f : fuel) (g : grid) (v : view) (c : colour) (m : tree) (e : experience) (rest : int)
    (l : list candidate) : generated :=
  if none rest then Undecided l
  else match f with
  | Out => Stuck
  | More h =>
    let b := low rest in
    let child := play_view g v c b in
    match recall m child (opponent c) with
    | Some Lost => Winning
    | Some Won => generate h g v c m e (diff rest b) l
    | _ =>
      match judge g child (opponent c) with
      | (Lost, _) => Winning
      | (Won, _) => generate h g v c m e (diff rest b) l
      | (Unknown, weight) =>
        let x := Candidate (worth e (scatter b) + (high - eight * weight)) b child in
        generate h g v c m e (diff rest b) (rank x l)
      end
    end
  end.

(** ** The search *)

Fixpoint attempt (expand : view -> colour -> state -> outcome * state) (v : view) (c : colour)
    (l : list candidate) (st : state) : outcome * state :=
  match l with
  | [] => (Lost, remember st v c Lost)
  | x :: r =>
    let (result, st) :=
      match recall (memory st) (after x) (opponent c) with
      | Some result => (result, st)
      | None => expand (after x) (opponent c) st
      end in
    match result with
    | Unknown => (Unknown, st)
    | Lost => (Won, remember (learned st c (place x) 1) v c Won)
    | Won => attempt expand v c r (learned st c (place x) 0)
    end
  end.

Fixpoint expand (f : fuel) (g : grid) (limit : nat) (v : view) (c : colour) (st : state) : outcome * state :=
  match f with
  | Out => (Unknown, st)
  | More h =>
    if nodes st =? limit then (Unknown, st)
    else
      let st := counted st in
      match generate full g v c (memory st) (tried st c) (moves (of v c)) [] with
      | Stuck => (Unknown, st)
      | Winning => (Won, remember st v c Won)
      | Undecided l => attempt (expand h g limit) v c l st
      end
  end.

(** The result, and the number of nodes. *)
Definition search (g : grid) (limit : nat) (v : view) (c : colour) : outcome * nat :=
  match judge g v c with
  | (Unknown, _) => let (r, st) := expand full g limit v c (State 0 Leaf Never Never) in (r, nodes st)
  | (r, _) => (r, 0)
  end.

(** * Proofs *)

Section Endgame.

Variables rows columns : nat.
Hypothesis small : rows * columns <= 63.

Notation stone := (stone rows columns).
Notation legal := (legal rows columns).
Notation wins := (wins rows columns).
Notation loses := (loses rows columns).
Notation right := (right rows columns).
Notation holds := (holds rows columns).

Let g := make_grid rows columns.

(** The sets [b] and [w] are the stones of [s]. *)
Definition shows (b w : int) (s : position) : Prop :=
  (forall p, mem b p = true <-> stone s Black p) /\ (forall p, mem w p = true <-> stone s White p).

Lemma right_shows v s : right v s -> shows (stones (black v)) (stones (white v)) s.
Proof. intros R. split; [apply (right_stones _ _ _ _ R Black) | apply (right_stones _ _ _ _ R White)]. Qed.

Lemma shows_same b w s t : shows b w s -> shows b w t -> same rows columns s t.
Proof.
  intros [Bs Ws] [Bt Wt] p B.
  assert (forall c, stone s c p <-> stone t c p) as E.
  { intros [|]; [rewrite <- Bs, <- Bt | rewrite <- Ws, <- Wt]; tauto. }
  destruct (s p) as [c |] eqn:Sp.
  - destruct (proj1 (E c)) as [_ H]; [now split | exact H].
  - destruct (t p) as [c |] eqn:Tp; auto. destruct (proj2 (E c)) as [_ H]; [now split | congruence].
Qed.

Definition fact (b w : int) (c : colour) (r : outcome) : Prop :=
  forall s, shows b w s -> holds r s c.

Lemma holds_fact v s c r : right v s -> holds r s c -> fact (stones (black v)) (stones (white v)) c r.
Proof.
  intros R H t T. pose proof (shows_same _ _ _ _ (right_shows v s R) T) as E.
  destruct r; simpl in *; auto.
  - now apply (same_wins rows columns s).
  - now apply (same_loses rows columns s).
Qed.

Lemma recall_holds m v s c r : all_facts fact m -> right v s -> recall m v c = Some r -> holds r s c.
Proof.
  intros F R E. assert (fact (stones (black v)) (stones (white v)) c r) as H.
  { unfold recall in E. destruct m; [discriminate |]. eapply find_fact; eauto. }
  apply H. now apply right_shows.
Qed.

Lemma remember_facts st v s c r :
  all_facts fact (memory st) -> right v s -> holds r s c -> all_facts fact (memory (remember st v c r)).
Proof. intros F R H. simpl. apply insert_fact; auto. now apply (holds_fact v s). Qed.

Lemma learned_memory st c b n : memory (learned st c b n) = memory st.
Proof. now destruct c. Qed.

Lemma rank_in x y l : In y (rank x l) <-> y = x \/ In y l.
Proof.
  induction l as [| a l IH]; simpl.
  - intuition.
  - destruct (score a <? score x); simpl; [intuition |]. rewrite IH. intuition.
Qed.

(** The candidates are legal moves with what comes after them. *)
Definition candidate_right (v : view) (s : position) (c : colour) (x : candidate) : Prop :=
  exists p, legal s c p /\ place x = single p /\ after x = play_view g v c (single p).

Lemma generate_spec f v s c m e rest l :
  right v s -> all_facts fact m -> (forall p, mem rest p = true -> legal s c p) ->
  Forall (candidate_right v s c) l ->
  match generate f g v c m e rest l with
  | Winning => wins s c
  | Stuck => True
  | Undecided l' =>
    Forall (candidate_right v s c) l' /\ (forall x, In x l -> In x l') /\
    forall p, mem rest p = true ->
      wins (play s c p) (opponent c) \/ exists x, In x l' /\ after x = play_view g v c (single p)
  end.
Proof.
  intros R F. revert rest l. induction f as [| f IH]; intros rest l Le Cl;
  cbn -[none low diff play_view recall judge rank]; destruct (none rest) eqn:N; auto.
  1, 2: rewrite none_spec in N; split; [| split]; auto; intros p M; congruence.
  destruct (low_single rest N) as (p & P & Mp & Lp). rewrite Lp.
  pose proof (Le p Mp) as Lep.
  set (child := play_view g v c (single p)).
  assert (right child (play s c p)) as Rc by (apply play_view_right; auto).
  assert (forall q, mem (diff rest (single p)) q = true -> legal s c q) as Le'.
  { intros q. rewrite mem_diff, andb_true_iff. intros [H _]. auto. }
  assert (forall q, mem rest q = true -> q = p \/ mem (diff rest (single p)) q = true) as Q.
  { intros q M. destruct (Nat.eq_dec q p) as [-> | D]; auto. right.
    apply Nat.eqb_neq in D. rewrite mem_diff, mem_single, M, D by auto. auto. }
  assert (loses (play s c p) (opponent c) -> wins s c) as W.
  { intros H. apply wins_by with (p := p); auto. }
  assert (wins (play s c p) (opponent c) ->
    match generate f g v c m e (diff rest (single p)) l with
    | Winning => wins s c
    | Stuck => True
    | Undecided l' =>
      Forall (candidate_right v s c) l' /\ (forall x, In x l -> In x l') /\
      forall p, mem rest p = true ->
        wins (play s c p) (opponent c) \/ exists x, In x l' /\ after x = play_view g v c (single p)
    end) as Skip.
  { intros H. pose proof (IH (diff rest (single p)) l Le' Cl) as G.
    destruct (generate f g v c m e (diff rest (single p)) l); auto.
    destruct G as (G1 & G2 & G3). split; [| split]; auto.
    intros q M. destruct (Q q M) as [-> |]; auto. }
  pose proof (judge_sound rows columns small child (play s c p) (opponent c) Rc) as J. fold g in J.
  assert (forall x, candidate_right v s c x -> after x = child ->
    match generate f g v c m e (diff rest (single p)) (rank x l) with
    | Winning => wins s c
    | Stuck => True
    | Undecided l' =>
      Forall (candidate_right v s c) l' /\ (forall x, In x l -> In x l') /\
      forall p, mem rest p = true ->
        wins (play s c p) (opponent c) \/ exists x, In x l' /\ after x = play_view g v c (single p)
    end) as Add.
  { intros x Cx Ax.
    pose proof (IH (diff rest (single p)) (rank x l) Le') as G.
    destruct (generate f g v c m e (diff rest (single p)) (rank x l)); auto.
    - apply G. apply Forall_forall. intros y I. apply rank_in in I.
      destruct I as [-> | I]; auto. rewrite Forall_forall in Cl. auto.
    - destruct G as (G1 & G2 & G3).
      { apply Forall_forall. intros y I. apply rank_in in I.
        destruct I as [-> | I]; auto. rewrite Forall_forall in Cl. auto. }
      split; [| split]; auto.
      + intros y I. apply G2. apply rank_in. auto.
      + intros q M. destruct (Q q M) as [-> |]; auto. right. exists x. split; auto.
        apply G2. apply rank_in. auto. }
  assert (forall n, candidate_right v s c (Candidate n (single p) child)) as Cr.
  { intros n. exists p. auto. }
  destruct (recall m child (opponent c)) as [[| |] |] eqn:Re.
  - apply Skip. exact (recall_holds m child (play s c p) _ _ F Rc Re).
  - apply W. exact (recall_holds m child (play s c p) _ _ F Rc Re).
  - destruct (judge g child (opponent c)) as [[| |] weight]; [exact (Skip J) | exact (W J) | apply Add; [apply Cr | reflexivity]].
  - destruct (judge g child (opponent c)) as [[| |] weight]; [exact (Skip J) | exact (W J) | apply Add; [apply Cr | reflexivity]].
Qed.

Lemma attempt_spec rec v s c l st :
  (forall v s c st, right v s -> all_facts fact (memory st) ->
    holds (fst (rec v c st)) s c /\ all_facts fact (memory (snd (rec v c st)))) ->
  right v s -> all_facts fact (memory st) -> Forall (candidate_right v s c) l ->
  (forall p, legal s c p -> wins (play s c p) (opponent c) \/ exists x, In x l /\ after x = play_view g v c (single p)) ->
  holds (fst (attempt rec v c l st)) s c /\ all_facts fact (memory (snd (attempt rec v c l st))).
Proof.
  intros Rec R. revert st. induction l as [| x l IH]; intros st F Cl Cover; cbn -[recall remember learned].
  - assert (holds Lost s c) as H.
    { apply loses_if. intros p Le. destruct (Cover p Le) as [| (x & [] & _)]; auto. }
    split; auto. now apply (remember_facts st v s).
  - inversion Cl as [| x' l' Cx Cl']; subst. destruct Cx as (p & Le & Px & Ax).
    assert (right (after x) (play s c p)) as Rx by (rewrite Ax; apply play_view_right; auto).
    set (step := match recall (memory st) (after x) (opponent c) with
                 | Some result => (result, st)
                 | None => rec (after x) (opponent c) st
                 end).
    assert (holds (fst step) (play s c p) (opponent c) /\ all_facts fact (memory (snd step))) as [H1 H2].
    { unfold step. destruct (recall (memory st) (after x) (opponent c)) as [r |] eqn:Re.
      - split; auto. now apply (recall_holds (memory st) (after x)).
      - now apply Rec. }
    destruct step as [r st']. cbn [fst snd] in H1, H2. destruct r.
    + apply IH; auto.
      * now rewrite learned_memory.
      * intros q Lq. destruct (Cover q Lq) as [| (y & [<- | I] & Ay)]; auto; [| right; exists y; auto].
        left. rewrite Ax in Ay.
        (* The same view after both moves: the same stones, so the same result. *)
        assert (right (after x) (play s c q)) as Rq.
        { rewrite Ax, Ay. apply play_view_right; auto. }
        apply (same_wins rows columns (play s c p)); auto.
        exact (shows_same _ _ _ _ (right_shows _ _ Rx) (right_shows _ _ Rq)).
    + assert (holds Won s c) as H by (apply wins_by with (p := p); auto).
      split; auto. apply (remember_facts _ v s); auto. now rewrite learned_memory.
    + split; [exact I | auto].
Qed.

Lemma expand_spec f limit v s c st :
  right v s -> all_facts fact (memory st) ->
  holds (fst (expand f g limit v c st)) s c /\ all_facts fact (memory (snd (expand f g limit v c st))).
Proof.
  revert v s c st. induction f as [| f IH]; intros v s c st R F; cbn -[generate attempt remember Judge.holds counted tried all_facts memory].
  - split; [exact I | auto].
  - destruct (nodes st =? limit); [split; [exact I | auto] |].
    pose proof (generate_spec full v s c (memory (counted st)) (tried (counted st) c) (moves (of v c)) [] R F) as G.
    destruct (generate full g v c (memory (counted st)) (tried (counted st) c) (moves (of v c)) []).
    + assert (holds Won s c) as H by (apply G; auto; intros p; apply R).
      split; auto. now apply (remember_facts (counted st) v s).
    + destruct G as (G1 & _ & G3); auto; [intros p; apply R |].
      apply attempt_spec; auto. intros p Le. apply G3. now apply R.
    + split; [exact I | auto].
Qed.

Theorem search_sound limit v s c : right v s -> holds (fst (search g limit v c)) s c.
Proof.
  intros R. unfold search. pose proof (judge_sound rows columns small v s c R) as J. fold g in J.
  destruct (judge g v c) as [[| |] weight]; auto.
  pose proof (expand_spec full limit v s c (State 0 Leaf Never Never) R I) as [H _].
  destruct (expand full g limit v c (State 0 Leaf Never Never)). exact H.
Qed.

End Endgame.
