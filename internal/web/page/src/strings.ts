// Every sentence of the page.

import { type Cell, type ClusterSearch } from "./api";
import { type Analysis } from "./analysis";

const name = (c: string) => (c === "b" || c === "black" ? "Black" : c === "w" || c === "white" ? "White" : "Nobody");
const number = (n: number) => n.toLocaleString("en");
const count = (n: number) => (n >= 1e6 ? `${(n / 1e6).toFixed(1)} M` : n >= 1e4 ? `${Math.round(n / 1e3)} k` : number(Math.round(n)));
const plural = (n: number, one: string, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;
// A span of time in its two largest units.
const span = (seconds: number) => {
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  if (s < 86_400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86_400)} d ${Math.floor((s % 86_400) / 3600)} h`;
};
const byPoints = (score: number) => (score === 0 ? "a draw" : `${name(score > 0 ? "b" : "w")} by ${Math.abs(score)}`);
const modeNames = { explore: "Explore", why: "Why?", play: "Play", learn: "Learn", results: "Results", cluster: "Cluster" } as const;

export const text = {
  modes: "Modes",
  modeNames,
  title: (mode: keyof typeof modeNames) => `${modeNames[mode]} – tengen`,
  themeIs: (t: string) => `Colours: ${t === "auto" ? "as the system" : t}. Press to change`,
  serverGone: "The server does not answer. This page tries again by itself.",
  tornTree: "The variations in this link are damaged and left out. The line to this position is shown.",
  unknownMode: (m: string) => `There is no page “${m}”. This is Explore; the tabs above lead to the others.`,
  refused: (status: number) => `The server refused this (status ${status}).`,
  version: (v: string) => `tengen ${v}`,
  api: "API",
  loading: "Loading …",

  black: "Black",
  white: "White",
  toPlay: (c: string) => `${name(c)} to play`,
  over: "Game over",

  board: (rows: number, cols: number) => `Board of ${plural(rows, "row")} and ${plural(cols, "column")}`,
  keys: "Arrow keys move the cursor, Enter plays there, P passes, U takes back, R plays again, Home and End go to the beginning and the end, T turns the board, M and F mirror it, S swaps the colours.",
  pointSays: (point: string, stone: string, says?: string) => `${point}, ${stone}${says ? `, ${says}` : ""}`,
  boardTools: "Moves and orientation",
  first: "To the beginning (Home)",
  undo: "Take back (U)",
  redo: "Play again (R)",
  last: "To the end (End)",
  pass: "Pass",
  rotate: "Rotate the board (T)",
  mirror: "Mirror left and right (M)",
  flip: "Mirror top and bottom (F)",
  swap: "Swap colours (S)",
  illegal: (move: string, game: string) => `${move} is not allowed: ${game === "go" ? "the stone would have no liberty, or the ko forbids it" : "a move may not capture, nor be without a liberty"}.`,
  startOver: "Start with an empty board",

  wins: "wins",
  loses: "loses",
  notKnown: "not known yet",
  byScore: byPoints,
  dependsSign: "↻",
  rangeOf: (lo: string, hi: string) => `${lo} to ${hi} by the rule for endless games`,
  rangeSays: (lo: string, hi: string) => `↻ The rule for endless games matters here: ${lo} to ${hi}.`,
  between: (lo: string, hi: string) => `${lo} to ${hi}`,
  estimated: (p: string) => `about ${p}`,
  inMoves: (n: number) => `${n} moves`,
  playouts: (n: number) => `${count(n)} playouts`,
  basis: {
    rules: "ends the game",
    store: "kept",
    search: "searched",
    endgame: "endgame",
    tree: "tree",
    certificate: "certificate",
    table: "table",
    strategy: "strategy for rows",
    playouts: "playouts",
    symmetry: "by symmetry",
  } as Record<string, string>,

  allLose: (mover: string) => `${name(mover === "black" ? "w" : "b")} wins: every move of ${name(mover)} loses.`,
  moverWins: (mover: string, wins: number, all: number, open: number, best?: string) =>
    open > 0
      ? `${name(mover)} wins${best ? `, for example with ${best}` : ""}.`
      : wins === 1
        ? `${name(mover)} wins, but only with ${best}.`
        : `${name(mover)} wins with ${wins} of ${plural(all, "move")}.`,
  scoreWithBestPlay: (score: number, best?: string) =>
    (score === 0 ? "A draw with best play" : `${name(score > 0 ? "b" : "w")} wins by ${Math.abs(score)} with best play`) + (best ? `: ${best}.` : "."),
  scoreBetween: (lo: string, hi: string) => `The score is between ${lo} and ${hi}.`,
  undecided: (mover: string, p: string, best?: string) => `Not decided yet. ${name(mover)} wins about ${p} of playouts${best ? ` with ${best}` : ""}.`,
  unsettled: "Not decided.",
  solving: "Looking …",
  noPosition: "There is no such position.",

  position: "Result",
  boardTitle: "Board",
  game: "Game",
  rules: "Rules",
  rulesOf: {
    nogo: "NoGo: nothing is ever captured. A move that would capture, or that has no liberty, is not allowed. Who cannot move has lost.",
    go: "Go: area scoring without komi. A score such as B+2 is Black’s area less White’s.",
  } as Record<string, string>,
  ruleNames: { basic: "Basic ko", psk: "Positional superko", ssk: "Situational superko" } as Record<string, string>,
  endless: "Endless games",
  endlessCounts: { draw: "are draws", lose: "go to White", win: "go to Black" },
  rows: "Rows",
  columns: "Columns",
  sizeWanted: "Rows and columns are whole numbers from 1 on, such as 4 and 5.",
  clickMeans: "What a click on the board does",
  playMoves: "Play moves",
  editStones: "Edit stones",
  editingNotice: "Editing: a click places or removes a stone. It is not a move.",
  tool: "Stone to place",
  blackStone: "● Black",
  whiteStone: "○ White",
  erase: "Erase",
  toPlayLabel: "Who is to play",
  clear: "Clear the board",
  movesTitle: "Every move",
  move: "Move",
  result: "Result",
  basisTitle: "Known by",
  why: "Why?",
  whyMove: (move: string) => `Why is ${move} worse?`,
  bestLine: "Best line",
  playTo: (n: number, move: string) => `Play the line to move ${n}, ${move}`,
  tree: "Moves and variations",
  beginning: "Start",
  forget: (move: string) => `Remove ${move} and what follows`,

  decidedLabel: "Moves decided",
  queued: (place: number) => `Waiting: number ${place} in the queue.`,
  stop: "Stop",
  resume: "Go on",
  progress: (a: Analysis, decided: number, of: number) => {
    const parts: string[] = [];
    if (a.classes) parts.push(decided === of ? (of === 1 ? "The move is decided" : `All ${number(of)} moves decided`) : `${decided} of ${plural(of, "move")} decided`);
    if (a.nodes) parts.push(plural(a.nodes, "position"));
    if (a.rate && a.status === "running") parts.push(`${count(a.rate)}/s`);
    if (a.playouts) parts.push(`${count(a.playouts)} playouts`);
    if (a.elapsed !== undefined) parts.push(`${a.elapsed < 10 ? a.elapsed.toFixed(1) : Math.round(a.elapsed)} s`);
    if (a.status === "stopped") parts.push("stopped");
    return parts.join(" · ") || "Asking …";
  },

  share: "Take along",
  copy: "Copy",
  copyLink: "Link",
  copyText: "Text",
  copyJson: "JSON",
  copyImage: "Image",
  save: "Save",
  saveSvg: "SVG",
  savePng: "PNG",
  saveSgf: "SGF",
  openSgf: "Open SGF …",
  theLink: "The link",
  theImage: "The picture",
  theText: "The board as text",
  theJson: "The position as JSON",
  copied: (what: string) => `${what} is in the clipboard.`,
  copyFailed: "The browser does not let this page copy.",
  recordTooLarge: "A game record may have 1 MiB at most.",

  theGame: "Game",
  newGame: "New game",
  takeBack: "Take back",
  hint: "Hint",
  hideHint: "Hide hint",
  goOn: "Go on from here",
  hintSays: (best: string) => `Try ${best}.`,
  playToBegin: "Make a move to begin, or press New game.",
  thinking: "The opponent is thinking …",
  yourTurn: (c: string) => `Your turn: you are ${name(c)}.`,
  opponent: "Opponent and board",
  player: "Player",
  auto: "Best there is",
  level: "Level",
  levelName: (l: number, of: number) => (l === 1 ? `${l} – easy` : l === of ? `${l} – full strength` : String(l)),
  seconds: "Time a move",
  secondsLong: (s: number) => `${s} s`,
  clock: "Clock",
  clockLong: (s: number) => (s ? `${s / 60} min each` : "none"),
  clockOf: (c: string) => `Time of ${name(c)}`,
  timeUp: (c: string) => `The time of ${name(c)} is up: ${name(c === "b" ? "w" : "b")} wins.`,
  yourColour: "Your colour",
  youAre: (c: string) => `Play ${name(c)}`,

  review: "Review",
  reviewGame: "Review this game",
  curve: "Curve of the game",
  curveExplained: (score: boolean) => (score ? "Up is good for Black, in points. Filled dots are exact." : "Up is good for Black. Filled dots are exact, hollow ones estimates."),
  curvePoint: (ply: number, value: string, exact: boolean) => `After move ${ply}: ${value}${exact ? "" : " (estimate)"}`,
  moveNumber: (n: number) => `Move ${n}`,

  proof: "Proof",
  refutation: "Refutation",
  refutationLine: "What follows",
  pickMove: "Choose a move on the board to see what it costs.",
  refuted: (move: string, cost: number, before: string, after: string) => (cost ? `${move} costs ${plural(cost, "point")}: ${before} becomes ${after}.` : `${move} is as good as any: ${before}.`),
  tryAny: (loser: string) => `${name(loser)} has lost. Try any move: the answer follows.`,
  winningReply: (winner: string, reply: string) => (reply ? `${name(winner)} wins with ${reply}.` : `${name(winner)} wins.`),
  playReply: (reply: string) => `Play ${reply}`,
  noProof: "There is no proof for this position.",
  answeredBy: (move: string) => `answered by ${move}`,
  noAnswerNeeded: "–",
  answer: "Answer",
  everyMove: "Every move and its answer",
  whyExplained: "A proof has an answer to every move of the losing side. Play the loser and see that nothing helps.",
  whyGoExplained: "The line shows best play after the move you chose.",
  certificate: "Certificate",
  certificateSum: "Its checksum (SHA-256)",
  certificateOurs: (n: number) => `Out of our own certificate with ${plural(n, "position")}.`,
  certificateValid: (n: number, winner: string, id: string) => `Checked and right: ${name(winner)} wins, ${plural(n, "position")} (${id}).`,
  certificateInvalid: (reason: string) => `This certificate does not prove its claim. ${reason}`,
  certificateTooLarge: "A certificate may have 8 MiB at most here; tengen proof verify checks larger ones.",
  openCertificate: "Open a certificate …",
  useOwn: "Use ours again",

  sum: "The sum",
  sumIs: "Value of the sum:",
  learnNoGoOnly: "This mode is about NoGo: choose it below, or one of the examples.",
  learnExplained: "Regions influence each other no more. Each is a game of its own, and the position is their sum. Play on the board and watch it fall apart.",
  inRegion: (l: string) => `region ${l}`,
  region: (l: string, n: number) => `Region ${l}: ${plural(n, "point")}`,
  canonical: "Value",
  outcome: "Outcome",
  outcomes: { L: "Black wins, whoever begins", R: "White wins, whoever begins", N: "Whoever begins wins", P: "Whoever begins loses" } as Record<string, string>,
  mean: "Mean",
  temperature: "Temperature",
  bounds: "Between",
  thermographOf: (value: string) => `Thermograph of ${value}`,
  lessons: [
    { title: "Two dimensions", question: { position: "x.x.x/o.x.o/xxoo./ooxox/x.xoo", to_play: "w" as const } },
    { title: "A row", question: { position: "..ox..oxx..." } },
    { title: "Opposites", question: { position: "..xo../..xo../..xo.." } },
  ],
  longValue: (n: number) => `${number(n)} characters`,
  sumSays: (n: number, outcome: string, mover: string, winner: string) =>
    n === 0
      ? `Nobody can move in a region. ${name(mover)} is to play.`
      : `${n === 1 ? "One region." : `${n} regions.`} ${outcome === "N" ? "Whoever begins wins" : outcome === "P" ? "Whoever begins loses" : `${name(winner)} wins, whoever begins`}: here ${name(mover)} is to play, and ${name(winner)} wins.`,

  resultsExplained: "Best play from the empty board. B: Black wins, W: White wins; numbers are points for Black. A star marks what goes beyond the published tables. Choose a cell for its board, command and checksum.",
  cellTitle: (c: Cell) => (c.question?.size ? c.question.size.replace("x", "×") : `${c.row} × ${c.col}`),
  cellSays: (c: Cell) => {
    const what = c.winner ? (c.winner === "none" ? "a draw" : `${name(c.winner)} wins`) : `${c.score === undefined ? "not known" : c.score === 0 ? "a draw" : `${name(c.score > 0 ? "b" : "w")} by ${Math.abs(c.score)}`}`;
    const searched = c.positions ? `; ${plural(c.positions, "position")} searched` : "";
    return `${what}; ${c.published ? "as published" : "not published before"}${searched}`;
  },
  cellDetail: "Chosen result",
  openBoard: "Open the board",
  walkProof: "Walk the proof",
  command: "Command that makes it again",
  checksum: "SHA-256 of the certificate",
  close: "Close",

  clusterTitle: "Search",
  clusterNone: "This server watches no cluster.",
  clusterHow: "Show one with",
  clusterEmpty: "No search has been heard of yet.",
  clusterBegin: "Start one with",
  clusterChoose: "Search to show",
  clusterStates: { running: "Under way", silent: "Its master is silent", done: "Finished" } as Record<string, string>,
  clusterSilent: (seconds: number) => `Nothing has been heard of the master for ${span(seconds)}. What is decided is in its store: the same command goes on from there.`,
  clusterName: (s: ClusterSearch) => (s.position && s.to_play ? `NoGo ${s.position.split("/").length}×${s.position.split("/")[0].length}, ${name(s.to_play)} to play${s.question.endsWith("each move") ? ", every move" : ""}` : s.question.replace(/([0-9a-f]{8})[0-9a-f]{16,}/, "$1…")),
  clusterWorks: { search: "Searching …", proof: "The proof is put together …", list: "Solving positions …", verify: "Checking a certificate …", table: "Checking a table …", strips: "Building a database of strips …" } as Record<string, string>,
  clusterEnds: { done: { list: "Every position is solved.", verify: "The certificate has been checked.", table: "The table has been checked.", strips: "The layer is built." }, silent: {} } as Record<string, Record<string, string>>,
  clusterWins: (winner: string, moves: string[]) => `${name(winner)} wins${moves.length ? `, for example with ${moves[0]}` : ""}.`,
  clusterProgress: (s: ClusterSearch, decided: number, of: number) =>
    s.state === "done"
      ? `Done in ${span(s.seconds)}`
      : s.phase === "proof"
        ? `Layer ${s.layer ?? ""}: ${number(s.part)} of ${number(s.whole)}`
        : s.phase === "search"
          ? `${decided} of ${plural(of, "first move")} decided`
          : s.phase === "strips"
            ? `Strips of ${s.layer ?? ""} points: ${number(s.part)} of ${number(s.whole)}`
            : `${number(s.part)} of ${number(s.whole)} ${s.phase === "list" ? "positions" : s.phase === "table" ? "frames" : "entries"}`,
  clusterFigures: "Figures",
  clusterSearched: "Positions searched",
  clusterSpeed: "Speed",
  perSecond: (n: number) => `${count(n)}/s`,
  clusterTime: "Time",
  span,
  clusterJobs: "Jobs",
  clusterJobsAre: (done: number, out: number) => `${number(done)} done, ${number(out)} out`,
  clusterTree: "Upper tree",
  clusterTreeHas: (positions: number, decided: number) => `${plural(positions, "position")}, ${number(decided)} decided`,
  clusterFacts: "Facts told",
  clusterDoubts: "Doubts",
  clusterDoubted: (n: number) => (n ? `all answers taken back ${n === 1 ? "once" : `${n} times`}` : "none"),
  clusterBanned: "Sent away",
  clusterLine: "Looks best",
  clusterWorkers: (n: number) => `Workers: ${number(n)}`,
  clusterNoWorkers: "No worker has joined yet. Start one with",
  clusterWorker: "Worker",
  clusterWork: "At work on",
  clusterWorkerJobs: "Jobs",
  clusterHeard: "Heard",
  clusterIdle: "nothing",
  clusterJob: "a job",
  clusterElsewhere: "another search",
  ago: (seconds: number) => (seconds < 1.5 ? "now" : `${span(seconds)} ago`),
  clusterExplore: "Open in Explore",
  boardWatched: "Arrow keys move the cursor over the board.",
  number,
};
