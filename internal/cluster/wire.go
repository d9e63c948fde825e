package cluster

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"tengen/board"
	"tengen/internal/cluster/tree"
	"tengen/internal/text"
	"tengen/nogo"
)

// protocol is the version of all messages and of the store. Masters and workers of different
// versions refuse each other.
const protocol = 2

// Key is a position with a side to move, in its canonical orientation. Turned and mirrored
// positions have the same key.
type Key struct {
	Stones nogo.Stones
	ToPlay board.Colour
}

// keyOf is the key of a position on a small board.
func keyOf(p nogo.Position, c board.Colour) Key {
	return Key{p.Canonical().Small(), c}
}

// Position is the one a key stands for.
func (k Key) Position(size board.Size) nogo.Position {
	return nogo.Position{Size: size, Stones: board.Stones{{k.Stones[0]}, {k.Stones[1]}}}
}

// After is the key after a move.
func (k Key) After(size board.Size, move board.Point) Key {
	return keyOf(played(k.Position(size), k.ToPlay, move), k.ToPlay.Opponent())
}

// turnTo is the symmetry that turns the position of a key into this one.
func (k Key) turnTo(p nogo.Position) board.Symmetry {
	for _, turn := range p.Size.Symmetries() {
		if k.Position(p.Size).Map(turn) == p {
			return turn
		}
	}
	return board.Identity
}

// String is the form of a key in messages and in the store.
func (k Key) String() string {
	return fmt.Sprintf("%016x%016x%d", k.Stones[0], k.Stones[1], k.ToPlay)
}

// MarshalText writes a key into JSON.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText is the inverse of MarshalText.
func (k *Key) UnmarshalText(text []byte) error {
	const word = 16
	if len(text) != 2*word+1 {
		return fmt.Errorf("a key of %d characters", len(text))
	}
	var err error
	for i := range k.Stones {
		if k.Stones[i], err = strconv.ParseUint(string(text[i*word:(i+1)*word]), 16, 64); err != nil {
			return fmt.Errorf("a key with stones %q", text)
		}
	}
	switch k.ToPlay = board.Colour(text[2*word] - '0'); k.ToPlay {
	case board.Black, board.White:
		return nil
	}
	return fmt.Errorf("a key without a side to play: %q", text)
}

// kind says what a job is about.
type kind string

const (
	solving   kind = "solve"  // who wins a position, within a budget
	proving   kind = "prove"  // winning moves for a slice of a proof
	batching  kind = "batch"  // positions of a list
	auditing  kind = "verify" // a slice of a certificate
	tabling   kind = "table"  // a slice of a table of Go
	stripping kind = "strips" // a slice of a layer of strips
)

// job is what the master asks of a worker.
type job struct {
	Protocol int    `json:"protocol"`
	Search   string `json:"search"`
	ID       string `json:"id"`
	Epoch    int    `json:"epoch"` // facts of another one are not trusted
	Kind     kind   `json:"kind"`

	Size   string         `json:"size,omitempty"`
	Key    Key            `json:"key,omitzero"`
	Turn   board.Symmetry `json:"turn,omitempty"` // to the orientation in which the search came to it
	Budget uint64         `json:"budget,omitempty"`
	Share  uint64         `json:"share,omitempty"` // nodes that a fact must have cost to be shared; 0 shares none
	Alone  bool           `json:"alone,omitempty"` // import no facts of others

	Proof *proofSlice `json:"proof,omitempty"`
	Batch []question  `json:"batch,omitempty"`
	Slice *sliceJob   `json:"slice,omitempty"`
}

// String says what a job is about.
func (j job) String() string {
	switch j.Kind {
	case solving:
		if size, err := board.ParseSize(j.Size); err == nil {
			return j.Key.Position(size).String() + " " + j.Key.ToPlay.String()[:1]
		}
	case proving:
		return "a slice of the proof"
	case batching:
		return text.Plural(len(j.Batch), "line")
	case auditing, tabling, stripping:
		if j.Slice != nil {
			return fmt.Sprintf("%d to %d", j.Slice.From+1, j.Slice.To)
		}
	}
	return j.ID
}

// result is the result of a job.
type result struct {
	Protocol int    `json:"protocol"`
	Search   string `json:"search"`
	ID       string `json:"id"`
	Epoch    int    `json:"epoch"`
	Kind     kind   `json:"kind"`
	Worker   string `json:"worker"`

	Key      Key          `json:"key,omitzero"`
	Outcome  tree.Outcome `json:"outcome,omitempty"`
	Opened   bool         `json:"opened,omitempty"`
	Branches []branch     `json:"branches,omitempty"`
	Nodes    uint64       `json:"nodes,omitempty"`
	Seconds  float64      `json:"seconds,omitempty"`
	Error    float64      `json:"error,omitempty"`   // probability that a table mistook one position for another, at most
	Facts    uint64       `json:"facts,omitempty"`   // that the worker has published since its last result
	Failure  string       `json:"failure,omitempty"` // why there is no answer; "" if the job was cancelled
	Missing  bool         `json:"missing,omitempty"` // a file that the job needs cannot be fetched
	Refuted  bool         `json:"refuted,omitempty"` // a position of a proof is not won, so an answer above it was false
	Spoilt   bool         `json:"spoilt,omitempty"`  // too many workers have taken the job and not answered

	Proof *provedSlice    `json:"proof,omitempty"`
	Batch []answer        `json:"batch,omitempty"`
	Slice json.RawMessage `json:"slice,omitempty"` // its type depends on the kind
}

// answers reports whether it answers its job. A result without an answer says why, or the
// job was cancelled.
func (r result) answers() bool {
	return r.Outcome != tree.Unknown || r.Opened || r.Proof != nil || r.Batch != nil || r.Slice != nil
}

// branch is a move of a position that was given up.
type branch struct {
	Key     Key            `json:"key"`
	Turn    board.Symmetry `json:"turn,omitempty"` // as in a job
	Outcome tree.Outcome   `json:"outcome,omitempty"`
}

// Messages are checked where they come in. Nothing behind that has to expect a key off the
// board or a file of −1 bytes. The task checks whether a result answers its job.

const (
	mostName     = 128     // characters of a name
	mostText     = 1000    // characters of an error
	mostNodes    = 1 << 44 // of one job
	mostSeconds  = 1e8     // of one job
	mostBranches = 64      // a board that a cluster takes has fewer points
	mostLines    = 2500    // of a list, in one job
	mostNeeds    = 64      // files for one job
	mostObject   = 1 << 46 // bytes of a file
)

// namePattern is the form of names of workers, searches and jobs: they are parts of subjects.
var (
	namePattern = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	notInName   = regexp.MustCompile(`[^A-Za-z0-9_-]`)
)

// WorkerName makes the name of a worker of any text, such as the name of a host.
func WorkerName(text string) string {
	name := notInName.ReplaceAllString(text, "-")
	return name[:min(len(name), mostName)]
}

func checkName(what, name string) error {
	if len(name) > mostName || !namePattern.MatchString(name) {
		return fmt.Errorf("the %s %.40q is not a name: 1 to %d letters, digits, - and _", what, name, mostName)
	}
	return nil
}

func checkProtocol(theirs int) error {
	if theirs != protocol {
		return fmt.Errorf("it is of version %d of the protocol, this program speaks version %d", theirs, protocol)
	}
	return nil
}

// check makes sure that a key is a position of a board, in any orientation.
func (k Key) check(size board.Size) error {
	mask := size.Mask()
	if !size.Small() || (k.Stones[0]|k.Stones[1])&^mask[0] != 0 || k.Stones[0]&k.Stones[1] != 0 || k.ToPlay > board.White {
		return fmt.Errorf("%s is no position of %s", k, size)
	}
	return k.Position(size).Validate()
}

// checkCanonical makes sure that it also has the canonical orientation.
func (k Key) checkCanonical(size board.Size) error {
	if err := k.check(size); err != nil {
		return err
	}
	if keyOf(k.Position(size), k.ToPlay) != k {
		return fmt.Errorf("%s is a turned position of %s", k, size)
	}
	return nil
}

// decodeJob reads a job.
func decodeJob(data []byte) (job, error) {
	var j job
	if err := json.Unmarshal(data, &j); err != nil {
		return job{}, fmt.Errorf("it is no job: %w", err)
	}
	if err := cmp.Or(checkProtocol(j.Protocol), checkName("search", j.Search), checkName("job", j.ID), j.check()); err != nil {
		return job{}, err
	}
	return j, nil
}

func (j job) check() error {
	switch j.Kind {
	case solving, proving:
		size, err := j.board()
		switch {
		case err != nil:
			return err
		case j.Kind == proving:
			return j.Proof.check(size)
		case !slices.Contains(size.Symmetries(), j.Turn):
			return fmt.Errorf("%d does not turn a board of %s", j.Turn, size)
		case j.Budget == 0 || j.Budget > mostNodes: // 0 would have no end
			return fmt.Errorf("a budget of %d nodes", j.Budget)
		}
		return j.Key.checkCanonical(size)
	case batching:
		if len(j.Batch) == 0 || len(j.Batch) > mostLines {
			return fmt.Errorf("a job of %d lines", len(j.Batch))
		}
		return nil
	case auditing, tabling, stripping:
		return j.Slice.check(j.Kind)
	}
	return fmt.Errorf("a job of kind %.40q is not known", string(j.Kind))
}

// board is the board of a search.
func (j job) board() (board.Size, error) {
	size, err := board.ParseSize(j.Size)
	if err == nil && !Takes(size) {
		err = fmt.Errorf("a cluster does not search boards of %s", size)
	}
	return size, err
}

func (p *proofSlice) check(size board.Size) error {
	switch {
	case p == nil:
		return errors.New("a slice of a proof is empty")
	case p.Winner > board.White:
		return errors.New("a proof that nobody wins")
	case len(p.Positions)%codeBytes != 0:
		return fmt.Errorf("a list of positions is cut short: it has %d bytes", len(p.Positions))
	}
	return p.Root.check(size)
}

func (s *sliceJob) check(k kind) error {
	switch {
	case s == nil:
		return errors.New("a slice is empty")
	case s.From < 0 || s.To < s.From || k == stripping && s.len() > stripSlice:
		return fmt.Errorf("a slice from %d to %d", s.From, s.To)
	case len(s.Needs) > mostNeeds:
		return fmt.Errorf("a slice of %d files", len(s.Needs))
	}
	for _, o := range s.Needs {
		if sum, err := hex.DecodeString(o.SHA256); err != nil || len(sum) != 32 || o.Bytes < 0 || o.Bytes > mostObject {
			return fmt.Errorf("a file of %d bytes with checksum %.70q", o.Bytes, o.SHA256)
		}
	}
	return nil
}

// decodeResult reads a result.
func decodeResult(data []byte) (result, error) {
	var r result
	if err := json.Unmarshal(data, &r); err != nil {
		return result{}, fmt.Errorf("it is no result: %w", err)
	}
	if err := cmp.Or(checkProtocol(r.Protocol), checkName("search", r.Search), checkName("job", r.ID), checkName("worker", r.Worker), r.check()); err != nil {
		return result{}, err
	}
	r.Failure = text.OneLine(text.Printable(r.Failure), mostText) // it goes to logs and terminals
	return r, nil
}

func (r result) check() error {
	switch {
	case !slices.Contains([]kind{solving, proving, batching, auditing, tabling, stripping}, r.Kind):
		return fmt.Errorf("a result of kind %.40q is not known", string(r.Kind))
	case r.Outcome < tree.Lost || r.Outcome > tree.Won || r.Opened && r.Outcome != tree.Unknown:
		return fmt.Errorf("outcome %d, opened %t", r.Outcome, r.Opened)
	case r.Nodes > mostNodes || r.Facts > mostNodes || r.Seconds < 0 || r.Seconds > mostSeconds:
		return fmt.Errorf("%d nodes and %d facts in %g seconds", r.Nodes, r.Facts, r.Seconds)
	case r.Error < 0 || r.Error > 1:
		return fmt.Errorf("an error bound of %g", r.Error)
	case len(r.Branches) > mostBranches:
		return fmt.Errorf("%d moves", len(r.Branches))
	case len(r.Batch) > mostLines:
		return fmt.Errorf("%d lines", len(r.Batch))
	}
	for _, b := range r.Branches {
		if b.Outcome < tree.Lost || b.Outcome > tree.Won {
			return fmt.Errorf("outcome %d of a move", b.Outcome)
		}
	}
	return nil
}

// decodeHeartbeat reads a heartbeat.
func decodeHeartbeat(data []byte) (heartbeat, error) {
	var b heartbeat
	if err := json.Unmarshal(data, &b); err != nil {
		return heartbeat{}, fmt.Errorf("it is no heartbeat: %w", err)
	}
	if err := cmp.Or(checkProtocol(b.Protocol), checkName("worker", b.Worker)); err != nil {
		return heartbeat{}, err
	}
	if b.Search != "" || b.Job != "" {
		if err := cmp.Or(checkName("search", b.Search), checkName("job", b.Job)); err != nil {
			return heartbeat{}, err
		}
	}
	if b.Seconds < 0 || b.Memory < 0 || b.Threads < 0 {
		return heartbeat{}, fmt.Errorf("%g seconds, %d bytes, %d threads", b.Seconds, b.Memory, b.Threads)
	}
	return b, nil
}

// table names the table that facts belong to. Keys of regions hold for boards of one width
// only. Facts of an earlier epoch may rest on a false answer. So a worker refuses facts of
// any other table.
type table struct {
	search string
	epoch  int
	size   board.Size
}

// String is the form in the header of a message.
func (t table) String() string {
	return fmt.Sprintf("%d %s %d %s", protocol, t.search, t.epoch, t.size)
}
