(** * The checker of certificates

    The theorem [accepted_claim] at the end: if the checker accepts a root and a list of
    entries, then the named side wins the root by [Rules.v]. *)

From Coq Require Import Arith Lia List ZArith Bool Uint63.
Require Import Rules Game Sets Board Static Judge Endgame.
Import ListNotations.

(** ** Symmetries

    The formulas need no proof: each is tested on all pairs of points before it is used. *)

Definition mirrored (rows columns : nat) (up across : bool) (p : point) : point :=
  let r := p / columns in
  let c := p mod columns in
  (if up then rows - 1 - r else r) * columns + (if across then columns - 1 - c else c).

Definition swapped (columns : nat) (p : point) : point := p mod columns * columns + p / columns.

Definition adjacent_test (columns : nat) (p q : point) : bool :=
  let apart a b := (a =? b + 1) || (b =? a + 1) in
  ((p / columns =? q / columns) && apart (p mod columns) (q mod columns)) ||
  ((p mod columns =? q mod columns) && apart (p / columns) (q / columns)).

Definition symmetry_test (rows columns : nat) (f h : point -> point) : bool :=
  let points := seq 0 (rows * columns) in
  forallb (fun p =>
    (f p <? rows * columns) && (h (f p) =? p) && (h p <? rows * columns) && (f (h p) =? p) &&
    forallb (fun q => Bool.eqb (adjacent_test columns p q) (adjacent_test columns (f p) (f q))) points) points.

(** All but the identity. *)
Definition candidates (rows columns : nat) : list ((point -> point) * (point -> point)) :=
  let m := mirrored rows columns in
  let t := swapped columns in
  let plain := [(m false true, m false true); (m true false, m true false); (m true true, m true true)] in
  if rows =? columns
  then plain ++ [(t, t)] ++ map (fun x => (fun p => t (fst x p), fun p => snd x (t p))) plain
  else plain.

Definition table := list (int * int).

Definition table_of (rows columns : nat) (f : point -> point) : table :=
  map (fun p => (single p, single (f p))) (seq 0 (rows * columns)).

Definition tables (rows columns : nat) : list table :=
  map (fun x => table_of rows columns (fst x))
    (filter (fun x => symmetry_test rows columns (fst x) (snd x)) (candidates rows columns)).

Fixpoint moved (t : table) (x acc : int) : int :=
  match t with
  | [] => acc
  | (a, b) :: r => moved r x (if none (inter x a) then acc else union acc b)
  end.

(** Whether the code of the first position is less than that of the second. Only the
    choice among symmetric positions depends on it. *)
Definition code_less (b w b' w' : int) : bool :=
  (let d := (b lxor b') lor (w lxor w') in
   if d =? 0 then false else
   let d := d lor (d >> 1) in let d := d lor (d >> 2) in let d := d lor (d >> 4) in
   let d := d lor (d >> 8) in let d := d lor (d >> 16) in let d := d lor (d >> 32) in
   let top := d lxor (d >> 1) in
   if none (inter w' top) then
     if none (inter b' top) then false else none (inter (union b w) top)
   else none (inter w top))%uint63.

Fixpoint canonical_with (ts : list table) (b w least_b least_w : int) : int * int :=
  match ts with
  | [] => (least_b, least_w)
  | t :: r =>
    let b' := moved t b 0 in
    let w' := moved t w 0 in
    if code_less b' w' least_b least_w then canonical_with r b w b' w'
    else canonical_with r b w least_b least_w
  end.

Definition canonical (ts : list table) (b w : int) : int * int := canonical_with ts b w b w.

(** ** Entries *)

Record entry := Entry { entry_black : int; entry_white : int; entry_move : int (* its only bit *) }.

Fixpoint index (l : list entry) (winner : colour) (t : tree) : tree :=
  match l with
  | [] => t
  | e :: r =>
    let b := entry_black e in let w := entry_white e in
    index r winner (insert t (hash b w) b w winner Won)
  end.

(** What is known, and what was done. *)
Record work := Work { proven : tree; searches : nat; searched : nat }.

Record claim := Claim {
  claim_grid : grid;
  claim_tables : list table;
  claim_winner : colour;
  claim_limit : nat;
  claim_index : tree
}.

Inductive reason := No_liberty | Not_canonical | Not_legal | Not_settled.

Inductive answer := Fine (k : work) | Wrong (why : reason) (b w : int).

(** The position of [b] and [w], with the winner to move. *)
Definition settle (x : claim) (k : work) (b w : int) : answer :=
  let (b, w) := canonical (claim_tables x) b w in
  let key := hash b w in
  match find (claim_index x) key b w (claim_winner x) with
  | Some _ => Fine k
  | None =>
    match find (proven k) key b w (claim_winner x) with
    | Some _ => Fine k
    | None =>
      let v := read_view (claim_grid x) b w in
      if proper (claim_grid x) v then
        match search (claim_grid x) (claim_limit x) v (claim_winner x) with
        | (Won, n) => Fine (Work (insert (proven k) key b w (claim_winner x) Won) (searches k + 1) (searched k + n))
        | _ => Wrong Not_settled b w
        end
      else Wrong No_liberty b w
    end
  end.

(** The stones after a reply to [winner]. *)
Definition reply (winner : colour) (b w p : int) : int * int :=
  match winner with Black => (b, union w p) | White => (union b p, w) end.

(** All replies of the loser among [rest]. *)
Fixpoint refute (f : fuel) (x : claim) (k : work) (b w rest : int) : answer :=
  if none rest then Fine k
  else match f with
  | Out => Wrong Not_settled b w
  | More h =>
    let p := low rest in
    let (b', w') := reply (claim_winner x) b w p in
    match settle x k b' w' with
    | Fine k => refute h x k b w (diff rest p)
    | wrong => wrong
    end
  end.

Definition refuted (x : claim) (k : work) (v : view) : answer :=
  refute full x k (stones (black v)) (stones (white v)) (moves (of v (opponent (claim_winner x)))).

Definition check_entry (x : claim) (k : work) (e : entry) : answer :=
  let b := entry_black e in
  let w := entry_white e in
  let m := entry_move e in
  let v := read_view (claim_grid x) b w in
  if negb (proper (claim_grid x) v) then Wrong No_liberty b w
  else
    let (b', w') := canonical (claim_tables x) b w in
    if negb ((b =? b') && (w =? w'))%uint63 then Wrong Not_canonical b w
    else if negb (lone m) || none (inter (moves (of v (claim_winner x))) m) then Wrong Not_legal b w
    else refuted x k (play_view (claim_grid x) v (claim_winner x) m).

(** [tick] returns its second argument. The program shows with it how far it is. *)
Definition tick (done : nat) (k : work) : work := k.

(** What was proven is forgotten after [segment] entries, so that memory stays bounded. *)
Definition forget (k : work) : work := Work Leaf (searches k) (searched k).

Fixpoint check_entries (x : claim) (k : work) (l : list entry) (done segment left : nat) : answer :=
  match l with
  | [] => Fine k
  | e :: r =>
    let full_up := left =? 0 in
    match check_entry x (if full_up then forget k else k) e with
    | Fine k => check_entries x (tick done k) r (done + 1) segment (if full_up then segment else left - 1)
    | wrong => wrong
    end
  end.

Definition check_root (x : claim) (k : work) (turn : colour) (b w : int) : answer :=
  let v := read_view (claim_grid x) b w in
  if negb (proper (claim_grid x) v) then Wrong No_liberty b w
  else if same_colour turn (claim_winner x) then settle x k b w
  else refuted x k v.

(** The whole check. [most_points] is 63, the number of bits. *)
Definition most_points : nat := 63.

Definition check (rows columns : nat) (turn winner : colour) (limit segment : nat) (b w : int) (entries : list entry) : answer :=
  if rows * columns <=? most_points then
    let x := Claim (make_grid rows columns) (tables rows columns) winner limit (index entries winner Leaf) in
    match check_root x (Work Leaf 0 0) turn b w with
    | Fine k => check_entries x k entries 0 segment 0
    | wrong => wrong
    end
  else Wrong Not_settled b w.

(** * Proofs *)

Section Checker.

Variables rows columns : nat.
Hypothesis small : rows * columns <= 63.

Notation on_board := (on_board rows columns).
Notation adjacent := (adjacent columns).
Notation stone := (stone rows columns).
Notation empty := (empty rows columns).
Notation legal := (legal rows columns).
Notation wins := (wins rows columns).
Notation loses := (loses rows columns).
Notation right := (right rows columns).
Notation symmetry := (symmetry rows columns).
Notation image := (image rows columns).

Let g := make_grid rows columns.

(** ** Symmetries *)

Lemma adjacent_test_spec p q : adjacent_test columns p q = true <-> adjacent p q.
Proof.
  unfold adjacent_test, Rules.adjacent, differ_by_one, row, column.
  rewrite !orb_true_iff, !andb_true_iff, !orb_true_iff, !Nat.eqb_eq. tauto.
Qed.

Lemma symmetry_test_spec f h : symmetry_test rows columns f h = true -> symmetry f h.
Proof.
  unfold symmetry_test. rewrite forallb_forall. intros H.
  assert (forall p, on_board p -> In p (seq 0 (rows * columns))) as I.
  { intros p B. apply in_seq. unfold Rules.on_board in B. lia. }
  split; [| split].
  - intros p B. specialize (H p (I p B)). rewrite !andb_true_iff, !Nat.ltb_lt, !Nat.eqb_eq in H.
    unfold Rules.on_board. tauto.
  - intros p B. specialize (H p (I p B)). rewrite !andb_true_iff, !Nat.ltb_lt, !Nat.eqb_eq in H.
    unfold Rules.on_board. tauto.
  - intros p q Bp Bq. specialize (H p (I p Bp)). rewrite !andb_true_iff in H. destruct H as [_ H].
    rewrite forallb_forall in H. specialize (H q (I q Bq)). apply eqb_prop in H.
    rewrite <- !adjacent_test_spec. now rewrite H.
Qed.

Lemma mem_moved f l x acc q :
  (forall p, In p l -> p < 63 /\ f p < 63) ->
  (mem (moved (map (fun p => (single p, single (f p))) l) x acc) q = true <->
   mem acc q = true \/ exists p, In p l /\ mem x p = true /\ f p = q).
Proof.
  revert acc. induction l as [| a l IH]; intros acc B; cbn -[none inter union].
  - split; auto. intros [| (p & [] & _)]; auto.
  - destruct (B a) as [Ba Bf]; [now left |].
    rewrite IH by (intros p I; apply B; now right).
    destruct (none (inter x (single a))) eqn:N.
    + rewrite none_inter in N. split.
      * intros [| (p & I & H)]; auto. right. exists p. split; [now right | auto].
      * intros [| (p & [<- | I] & M & E)]; auto.
        -- exfalso. apply (N a); auto. rewrite mem_single by auto. apply Nat.eqb_refl.
        -- right. exists p. auto.
    + apply not_none in N. destruct N as (p & N). rewrite mem_inter, mem_single, andb_true_iff, Nat.eqb_eq in N by auto.
      destruct N as [Mx ->]. rewrite mem_union, mem_single, orb_true_iff, Nat.eqb_eq by auto. split.
      * intros [[| ->] | (p & I & H)]; auto.
        -- right. exists a. split; [now left | auto].
        -- right. exists p. split; [now right | auto].
      * intros [| (p & [<- | I] & M & E)]; auto. right. exists p. auto.
Qed.

(** [b'] and [w'] are [b] and [w] moved by a symmetry. *)
Definition moved_by (f : point -> point) (b w b' w' : int) : Prop :=
  forall p, on_board p -> mem b' (f p) = mem b p /\ mem w' (f p) = mem w p.

Lemma moved_image f b w b' w' t :
  moved_by f b w b' w' -> (forall p, on_board p -> t p = shown b w p) -> image f t (shown b' w').
Proof.
  intros M E p B. rewrite (E p B). destruct (M p B) as [Mb Mw]. unfold shown. now rewrite Mb, Mw.
Qed.

Lemma table_moved f h b w :
  symmetry f h -> moved_by f b w (moved (table_of rows columns f) b 0) (moved (table_of rows columns f) w 0).
Proof.
  intros Y p B.
  assert (forall q, In q (seq 0 (rows * columns)) -> q < 63 /\ f q < 63) as Bd.
  { intros q I. apply in_seq in I. destruct Y as (F & _). destruct (F q) as [Bq _]; unfold Rules.on_board in *; lia. }
  assert (forall x, mem (moved (table_of rows columns f) x 0) (f p) = mem x p) as K.
  { intros x. unfold table_of. destruct (mem x p) eqn:M.
    - apply mem_moved; auto. right. exists p. repeat split; auto. apply in_seq. unfold Rules.on_board in B. lia.
    - match goal with |- ?a = false => destruct a eqn:M' end; auto. apply mem_moved in M'; auto.
      destruct M' as [M' | (q & I & Mq & E)]; [now rewrite mem_0 in M' |].
      apply in_seq in I. destruct Y as (F & _).
      destruct (F q) as [_ E1]; [unfold Rules.on_board; lia |]. destruct (F p B) as [_ E2].
      assert (q = p) by congruence. congruence. }
  auto.
Qed.

Lemma canonical_spec b w b' w' :
  canonical (tables rows columns) b w = (b', w') -> exists f h, symmetry f h /\ moved_by f b w b' w'.
Proof.
  unfold canonical.
  assert (forall ts lb lw, (forall t, In t ts -> In t (tables rows columns)) ->
    (exists f h, symmetry f h /\ moved_by f b w lb lw) ->
    canonical_with ts b w lb lw = (b', w') -> exists f h, symmetry f h /\ moved_by f b w b' w') as K.
  { induction ts as [| t ts IH]; intros lb lw Sub H E; cbn -[code_less moved] in E.
    - injection E as <- <-. exact H.
    - assert (exists f h, symmetry f h /\ t = table_of rows columns f) as (f & h & Y & ->).
      { assert (In t (tables rows columns)) as I by (apply Sub; now left). unfold tables in I.
        apply in_map_iff in I. destruct I as ((f & h) & E' & I). apply filter_In in I. destruct I as [_ I].
        exists f, h. split; [now apply symmetry_test_spec | auto]. }
      destruct (code_less _ _ _ _); apply IH in E; auto.
      + intros t I. apply Sub. now right.
      + exists f, h. split; auto. now apply (table_moved f h).
      + intros t I. apply Sub. now right. }
  apply K; auto. exists (fun p => p), (fun p => p). split; [apply symmetry_id |]. intros p B. auto.
Qed.

(** ** Empty points *)

Definition vacancies (s : position) : nat :=
  count (fun p => (p <? rows * columns) && match s p with None => true | _ => false end).

Lemma vacancies_play s c p : empty s p -> vacancies s = S (vacancies (play s c p)).
Proof.
  intros [B E]. unfold vacancies, Rules.on_board in *. rewrite (count_remove _ p).
  - f_equal. apply count_ext. intros q _. unfold play. destruct (q =? p); simpl; now rewrite ?andb_false_r, ?andb_true_r.
  - lia.
  - rewrite E, andb_true_r. now apply Nat.ltb_lt.
Qed.

Lemma vacancies_image f h s t : symmetry f h -> image f s t -> vacancies t <= vacancies s.
Proof.
  intros Y I. pose proof (symmetry_inverse _ _ _ _ Y) as Y'. pose proof (image_inverse _ _ _ _ _ _ Y I) as I'.
  unfold vacancies. apply (count_injection _ _ h).
  - intros p _ H. apply andb_true_iff in H. destruct H as [B H]. apply Nat.ltb_lt in B.
    destruct Y' as (F & _). destruct (F p B) as [Bh _]. unfold Rules.on_board in Bh. split; [lia |].
    apply andb_true_iff. split; [now apply Nat.ltb_lt |]. now rewrite (I' p B).
  - intros p q _ _ Hp Hq E. apply andb_true_iff in Hp, Hq. destruct Hp as [Bp _], Hq as [Bq _].
    apply Nat.ltb_lt in Bp, Bq. destruct Y' as (F & _). destruct (F p Bp) as [_ <-], (F q Bq) as [_ <-]. now rewrite E.
Qed.

(** ** The check *)

Variables (entries : list entry) (winner : colour) (limit : nat).

Let loser := opponent winner.
Let x := Claim g (tables rows columns) winner limit (index entries winner Leaf).

(** A position that is settled: some orientation of it is an entry, or wins. *)
Definition settled (t : position) : Prop :=
  exists f h b w, symmetry f h /\ image f t (shown b w) /\
    (wins (shown b w) winner \/ exists m, In (Entry b w m) entries).

Definition listed (b w : int) (c : colour) (r : outcome) : Prop := exists m, In (Entry b w m) entries.
Definition won (b w : int) (c : colour) (r : outcome) : Prop := wins (shown b w) winner.

Lemma index_listed l t :
  (forall e, In e l -> In e entries) -> all_facts listed t -> all_facts listed (index l winner t).
Proof.
  revert t. induction l as [| e l IH]; intros t Sub F; simpl; auto.
  apply IH; [intros e' I; apply Sub; now right |]. apply insert_fact; auto.
  exists (entry_move e). apply Sub. left. now destruct e.
Qed.

Lemma settle_spec k b w k' t :
  all_facts won (proven k) -> (forall p, on_board p -> t p = shown b w p) ->
  settle x k b w = Fine k' -> settled t /\ all_facts won (proven k').
Proof.
  intros F Et. unfold settle. cbn [claim_tables x].
  destruct (canonical (tables rows columns) b w) as [b' w'] eqn:C.
  destruct (canonical_spec b w b' w' C) as (f & h & Y & M).
  assert (image f t (shown b' w')) as Im by (eapply moved_image; eauto).
  cbn [claim_index claim_winner claim_grid claim_limit x].
  destruct (find (index entries winner Leaf) (hash b' w') b' w' winner) eqn:Fi.
  { intros E. injection E as <-. split; auto.
    assert (listed b' w' winner o) as H.
    { eapply find_fact; eauto. apply index_listed; auto. exact I. }
    exists f, h, b', w'. auto. }
  destruct (find (proven k) (hash b' w') b' w' winner) eqn:Fp.
  { intros E. injection E as <-. split; auto.
    assert (won b' w' winner o) as H by (eapply find_fact; eauto).
    exists f, h, b', w'. auto. }
  destruct (proper g (read_view g b' w')) eqn:P; [| discriminate].
  pose proof (read_view_right rows columns small b' w' P) as R.
  pose proof (search_sound rows columns small limit _ _ winner R) as H. fold g in H.
  destruct (search g limit (read_view g b' w') winner) as [r n]. destruct r; try discriminate.
  intros E. injection E as <-. simpl in H. split.
  - exists f, h, b', w'. auto.
  - simpl. apply insert_fact; auto.
Qed.

(** [b] and [w] are the stones of [s]. *)
Lemma shown_of_right v s : right v s ->
  forall p, on_board p -> s p = shown (stones (black v)) (stones (white v)) p.
Proof.
  intros R p B. unfold shown.
  pose proof (right_stones _ _ _ _ R Black p) as Rb. pose proof (right_stones _ _ _ _ R White p) as Rw. simpl in Rb, Rw.
  destruct (mem (stones (black v)) p).
  - now apply Rb.
  - destruct (mem (stones (white v)) p); [now apply Rw |].
    destruct (s p) as [[|] |] eqn:S; auto.
    + enough (false = true) by discriminate. apply Rb. now split.
    + enough (false = true) by discriminate. apply Rw. now split.
Qed.

Lemma shown_reply c s b w p b' w' :
  p < 63 -> empty s p -> (forall q, on_board q -> s q = shown b w q) -> reply c b w (single p) = (b', w') ->
  forall q, on_board q -> play s (opponent c) p q = shown b' w' q.
Proof.
  intros P E Sh Re q B. unfold play, shown in *. pose proof (Sh q B) as H.
  destruct c; injection Re as <- <-; rewrite mem_union, mem_single by auto; simpl;
  destruct (Nat.eqb_spec q p) as [-> | N]; rewrite ?orb_true_r, ?orb_false_r; auto.
  destruct E as [_ E]. rewrite E in H. now destruct (mem b p).
Qed.

Lemma refute_spec f k v s k' rest :
  right v s -> all_facts won (proven k) -> (forall p, mem rest p = true -> legal s loser p) ->
  refute f x k (stones (black v)) (stones (white v)) rest = Fine k' ->
  (forall p, mem rest p = true -> settled (play s loser p)) /\ all_facts won (proven k').
Proof.
  intros R. pose proof (shown_of_right v s R) as Sh.
  set (b := stones (black v)) in *. set (w := stones (white v)) in *. clearbody b w.
  revert k rest. induction f as [| f IH]; intros k rest F Le; cbn -[none low diff settle reply];
  destruct (none rest) eqn:N; try discriminate.
  1, 2: intros E; injection E as <-; split; auto; intros p M; rewrite none_spec in N; congruence.
  destruct (low_single rest N) as (p & P & Mp & Lp). rewrite Lp.
  destruct (reply winner b w (single p)) as [b' w'] eqn:Re.
  destruct (settle x k b' w') as [k1 |] eqn:E1; [| discriminate]. intros E.
  assert (empty s p) as Ep by (apply (Le p Mp)).
  destruct (settle_spec k b' w' k1 (play s loser p)) as [S1 F1]; auto.
  { exact (shown_reply winner s b w p b' w' P Ep Sh Re). }
  apply IH in E; auto.
  - destruct E as [S2 F2]. split; auto. intros q M. destruct (Nat.eq_dec q p) as [-> | D]; auto.
    apply S2. apply Nat.eqb_neq in D. rewrite mem_diff, mem_single, M, D by auto. auto.
  - intros q. rewrite mem_diff, andb_true_iff. intros [H _]. auto.
Qed.

Lemma refuted_spec k v s k' :
  right v s -> all_facts won (proven k) -> refuted x k v = Fine k' ->
  (forall p, legal s loser p -> settled (play s loser p)) /\ all_facts won (proven k').
Proof.
  intros R F E. unfold refuted in E. cbn [claim_winner x] in E.
  apply (refute_spec _ _ _ s) in E; auto.
  - destruct E as [S F']. split; auto. intros p Le. apply S. now apply R.
  - intros p M. now apply R in M.
Qed.

(** An entry is right if its move leaves only settled positions to the loser. *)
Definition entry_right (e : entry) : Prop :=
  let s := shown (entry_black e) (entry_white e) in
  exists p, legal s winner p /\
    forall q, legal (play s winner p) loser q -> settled (play (play s winner p) loser q).

Lemma check_entry_spec k e k' :
  all_facts won (proven k) -> check_entry x k e = Fine k' -> entry_right e /\ all_facts won (proven k').
Proof.
  intros F. unfold check_entry. cbn [claim_grid claim_tables claim_winner x].
  set (v := read_view g (entry_black e) (entry_white e)).
  destruct (proper g v) eqn:P; [| discriminate]. cbn [negb].
  pose proof (read_view_right rows columns small (entry_black e) (entry_white e) P) as R. fold g v in R.
  destruct (canonical (tables rows columns) (entry_black e) (entry_white e)) as [b' w'].
  destruct (negb _); [discriminate |].
  destruct (lone (entry_move e)) eqn:Lo; [| discriminate]. cbn [negb orb].
  destruct (none (inter (moves (of v winner)) (entry_move e))) eqn:N; [discriminate |].
  apply not_none in N. destruct N as (p & N). rewrite mem_inter, andb_true_iff in N. destruct N as [Mv Me].
  assert (none (entry_move e) = false) as Ne.
  { destruct (none (entry_move e)) eqn:Ne; auto. rewrite none_spec in Ne. congruence. }
  destruct (proj1 (lone_spec _ Ne) Lo) as (q & Q).
  assert (entry_move e = single p) as ->.
  { apply mem_ext. intros y. rewrite mem_single by (now apply (mem_bound (entry_move e))).
    rewrite Q. rewrite Q in Me. apply Nat.eqb_eq in Me. now subst q. }
  intros E. apply R in Mv.
  apply (refuted_spec _ _ (play (shown (entry_black e) (entry_white e)) winner p)) in E; auto.
  - destruct E as [S F']. split; auto. exists p. auto.
  - now apply play_view_right.
Qed.

Lemma check_entries_spec k l n segment left k' :
  all_facts won (proven k) -> check_entries x k l n segment left = Fine k' -> forall e, In e l -> entry_right e.
Proof.
  revert k n left. induction l as [| e l IH]; intros k n left F; cbn -[check_entry]; [easy |].
  assert (all_facts won (proven (if left =? 0 then forget k else k))) as F0 by (destruct (left =? 0); [exact I | exact F]).
  destruct (check_entry x (if left =? 0 then forget k else k) e) as [k1 |] eqn:E; [| discriminate].
  destruct (check_entry_spec _ e k1 F0 E) as [H F1].
  intros E2 e' [<- | I]; auto. exact (IH (tick n k1) (n + 1) _ F1 E2 e' I).
Qed.

(** ** All entries win *)

Hypothesis all_right : forall e, In e entries -> entry_right e.

Lemma settled_wins n t :
  (forall e, In e entries -> vacancies (shown (entry_black e) (entry_white e)) < n ->
     wins (shown (entry_black e) (entry_white e)) winner) ->
  vacancies t < n -> settled t -> wins t winner.
Proof.
  intros IH V (f & h & b & w & Y & Im & H).
  assert (wins (shown b w) winner) as W.
  { destruct H as [| (m & I)]; auto. apply (IH (Entry b w m) I). simpl.
    pose proof (vacancies_image _ _ _ _ Y Im). lia. }
  apply (image_wins rows columns h f (shown b w)); auto.
  - now apply symmetry_inverse.
  - now apply (image_inverse rows columns f h).
Qed.

Lemma entries_win n e :
  In e entries -> vacancies (shown (entry_black e) (entry_white e)) < n ->
  wins (shown (entry_black e) (entry_white e)) winner.
Proof.
  revert e. induction n as [| n IH]; intros e I V; [lia |].
  destruct (all_right e I) as (p & Le & H). apply wins_by with (p := p); auto.
  apply loses_if. fold loser. intros q Lq. unfold loser at 2. rewrite opponent_involutive.
  pose proof (vacancies_play _ winner p (proj1 Le)). pose proof (vacancies_play _ loser q (proj1 Lq)).
  apply (settled_wins n); auto. lia.
Qed.

Lemma all_settled_win t : settled t -> wins t winner.
Proof.
  intros H. apply (settled_wins (S (vacancies t))); auto.
  intros e I V. now apply (entries_win (S (vacancies t))).
Qed.

End Checker.

(** ** The theorem *)

Theorem accepted_claim rows columns turn winner limit segment b w entries k :
  check rows columns turn winner limit segment b w entries = Fine k ->
  (turn = winner -> wins rows columns (shown b w) winner) /\
  (turn = opponent winner -> loses rows columns (shown b w) turn).
Proof.
  unfold check. destruct (Nat.leb_spec (rows * columns) most_points) as [small | _]; [| discriminate].
  change most_points with 63 in small.
  set (x := Claim _ _ _ _ _).
  destruct (check_root x (Work Leaf 0 0) turn b w) as [k1 |] eqn:Root; [| discriminate].
  intros E. unfold check_root in Root. change (claim_grid x) with (make_grid rows columns) in Root.
  destruct (proper _ _) eqn:P; [| discriminate]. cbn [negb] in Root.
  pose proof (read_view_right rows columns small b w P) as R.
  change (claim_winner x) with winner in Root.
  destruct (same_colour turn winner) eqn:C.
  - apply same_colour_spec in C. subst turn. split.
    2: { intros H. symmetry in H. now destruct (opponent_neq winner). }
    intros _. destruct (settle_spec rows columns small entries winner limit (Work Leaf 0 0) b w k1 (shown b w)) as [S F]; auto.
    { exact I. }
    apply (all_settled_win rows columns small entries winner); auto.
    intros e. exact (check_entries_spec rows columns small entries winner limit k1 entries 0 segment 0 k F E e).
  - split; [intros ->; destruct winner; discriminate |].
    intros ->.
    destruct (refuted_spec rows columns small entries winner limit (Work Leaf 0 0) _ (shown b w) k1 R I Root) as [S F].
    apply loses_if. intros p Le. rewrite opponent_involutive.
    apply (all_settled_win rows columns small entries winner); auto.
    intros e. exact (check_entries_spec rows columns small entries winner limit k1 entries 0 segment 0 k F E e).
Qed.

(** For the board without stones. *)
Corollary accepted_board rows columns turn winner limit segment entries k :
  check rows columns turn winner limit segment 0 0 entries = Fine k ->
  (turn = winner -> wins rows columns no_stones winner) /\
  (turn = opponent winner -> loses rows columns no_stones turn).
Proof.
  intros H. apply accepted_claim in H.
  assert (same rows columns (shown 0 0) no_stones) as S by (intros p _; unfold shown, no_stones; now rewrite mem_0).
  split; intros E; [apply (same_wins _ _ (shown 0 0)) | apply (same_loses _ _ (shown 0 0))]; auto; now apply H.
Qed.
