// The page's own logic, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf, said } from "../../src/connection";
import { branchesOf, endOf, grow, linesOf, linesOfBranches, movesTo, treeOf } from "../../src/game";
import { boardName, endSays, inOrder, markOf, marksOf, points, verdict, worthSays } from "../../src/judgement";
import { knownOf } from "../../src/known";
import { link, place, readTree, writeTree } from "../../src/link";
import { asked, choices, levelTitle, meansHere, settle, slipping } from "../../src/opponent";
import { columnName, diagram, parseDiagram, parseSize, pointName, pointOf, turned, turnedName, turnedSigns, turnedSize } from "../../src/points";
import { kept } from "../../src/kept";
import { remember } from "../../src/last";
import { marksOf as mistakeMarks, mistakeSays } from "../../src/review";
import { splitter } from "../../src/server";
import { sentence } from "../../src/trouble";

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

test("points have names, with I left out and doubled letters after Z", () => {
  const size = { rows: 3, cols: 30 };
  for (let x = 0; x < 30; x++) for (let y = 0; y < 3; y++) assert.deepEqual(pointOf(size, pointName(size, [x, y])), [x, y]);
  assert.equal(columnName(8), "J");
  assert.equal(columnName(25), "AA");
  for (const bad of ["I1", "A0", "A4", "pass", "", "AB1"]) assert.equal(pointOf({ rows: 3, cols: 3 }, bad), undefined, bad);
});

test("sizes", () => {
  assert.deepEqual(parseSize(" 4 × 5 "), { rows: 4, cols: 5 });
  for (const bad of ["0x5", "4", "4x", "axb", "4x100"]) assert.equal(parseSize(bad), undefined, bad);
});

test("four turns and two mirrors are nothing", () => {
  const size = { rows: 2, cols: 3 };
  const signs = parseDiagram("xo./..x");
  let [s, z, name] = [signs, size, "C2"];
  for (let i = 0; i < 4; i++) [s, name, z] = [turnedSigns("rotate", z, s), turnedName("rotate", z, name), turnedSize("rotate", z)];
  assert.deepEqual([s, z, name], [signs, size, "C2"]);
  for (const t of ["mirror", "flip"]) assert.equal(diagram(turnedSigns(t, size, turnedSigns(t, size, signs))), "xo./..x");
  assert.deepEqual(turned("rotate", size, [0, 0]), [1, 0]);
  assert.equal(turnedName("rotate", size, "pass"), "pass");
});

test("a tree keeps what was tried, and goes out and in", () => {
  const { top, here } = treeOf(["B2", "A1"], [["B2", "C3", "C1"]]);
  assert.deepEqual(movesTo(here), ["B2", "A1"]);
  assert.deepEqual(linesOf(top), [["B2", "C3", "C1"], ["B2", "A1"]]);
  assert.deepEqual(linesOfBranches(branchesOf(top)).filter((l) => l.length > 1 && l.at(-1) !== "C3"), linesOf(top));
  assert.equal(grow(top, ["B2", "A1"]), here, "a move that was made is not made again");
  assert.deepEqual(movesTo(endOf(top)), ["B2", "A1"], "redo goes where one was last");
  assert.deepEqual(readTree(writeTree(linesOf(top))), linesOf(top));
  for (const bad of ["B2_5.x", "B2_2.A1", "B2..C3", "B2_x.A1", ""]) assert.equal(readTree(bad), undefined, bad);
});

test("an address is a place, and a place an address", () => {
  for (const q of [
    { game: "nogo", size: "3x5" },
    { game: "nogo", position: "x../.o./...", to_play: "w", size: undefined },
    { game: "go", rules: "psk", size: "2x3", moves: ["A1", "pass"] },
    { game: "go", rules: "basic", position: "x.x/.x.", ko: "B2", passed: true, size: undefined },
  ]) {
    const to = place(link("explore", q, { lines: q.moves ? [q.moves] : [], endless: q.rules === "basic" ? "win" : "draw" }));
    assert.deepEqual(to.question, { ...q, size: q.size });
    assert.equal(to.endless, q.rules === "basic" ? "win" : "draw");
  }
  assert.equal(place("").mode, "start");
  assert.equal(place("#/").mode, "start");
  assert.equal(place("#/nowhere").unknown, "nowhere");
  assert.equal(place("#/why?game=go&size=3x3&pick=A1").pick, "A1");
  assert.equal(place("#/play").question.size, "7x7");
  assert.ok(place("#/learn").question.position);
  assert.ok(place("#/explore?size=3x3&tree=B2_5.x").torn);
  const long = Array.from({ length: 900 }, (_, i) => (i % 2 ? "A1" : "B2"));
  assert.ok(!link("explore", { game: "go", size: "2x2" }, { lines: [long] }).includes("tree="), "a link that is too long is cut by others");
});

test("an address without a board leads to the one that was last played on", () => {
  const board = (hash) => place(hash).question;
  for (const damaged of ["", "{", "[]", "null", '{"game":"chess","size":"3x3"}', '{"game":"nogo","size":"x"}', '{"game":"go","size":"4x4"}']) {
    kept.write("last", damaged);
    assert.deepEqual(board("#/start"), { game: "nogo", size: "3x5" }, damaged);
  }
  remember({ game: "go", rules: "psk", size: "2x3", to_play: "w" });
  assert.deepEqual(board("#/start"), { game: "go", rules: "psk", size: "2x3" });
  assert.deepEqual(board("#/play"), { game: "go", rules: "psk", size: "2x3" });
  assert.deepEqual(board("#/explore?game=nogo"), { game: "nogo", size: "3x5" });
  assert.deepEqual(board("#/explore?size=4x4"), { game: "nogo", size: "4x4" });
  assert.equal(board("#/learn").game, "nogo");
  remember({ game: "nogo", size: "4x5" });
  assert.deepEqual(board(""), { game: "nogo", size: "4x5" });
  kept.write("last", "");
  assert.equal(board("#/play").size, "7x7");
});

test("one notation for scores", () => {
  assert.deepEqual([3, -16, 0].map(points), ["B+3", "W+16", "0"]);
  assert.equal(worthSays({ grade: "exact", score: -16 }), "W+16");
  assert.equal(worthSays({ grade: "exact", winner: "black" }), "B");
  assert.equal(worthSays({ grade: "estimated", share: 0.62 }), "B 62%");
  assert.equal(worthSays({ grade: "bounded", lo: -2, hi: 3 }), "W+2 … B+3");
  assert.equal(worthSays({ grade: "unknown" }), "?");
  assert.equal(endSays({ winner: "white", score: -3, text: "" }), "White wins: W+3.");
  assert.equal(endSays({ winner: "none", score: 0, text: "" }), "The game is a draw.");
  assert.equal(endSays({ winner: "black", text: "" }), "Black wins.");
});

test("moves are marked and ordered for who is to play", () => {
  assert.equal(markOf({ grade: "exact", winner: "white" }, "w").kind, "good");
  assert.equal(markOf({ grade: "exact", winner: "white" }, "b").kind, "bad");
  assert.equal(markOf({ grade: "exact", score: -2 }, "w", -2).kind, "good");
  assert.equal(markOf({ grade: "exact", score: 1 }, "b", 3).kind, "poor");
  assert.equal(markOf({ grade: "exact", score: -1 }, "b", 3).kind, "bad");
  assert.equal(markOf({ grade: "exact", score: 1, lo: -1, hi: 1 }, "b").text, "B+1↻");
  assert.equal(markOf({ grade: "unknown" }, "b").kind, "open");
  const moves = [
    { move: "A1", grade: "exact", winner: "white" },
    { move: "B1", grade: "estimated", win_share: 0.4, visits: 5 },
    { move: "C1", grade: "estimated", win_share: 0.6, visits: 50 },
    { move: "D1", grade: "unknown" },
    { move: "E1", grade: "exact", winner: "black" },
  ];
  assert.deepEqual(inOrder(moves, "b").map((f) => f.move), ["E1", "C1", "B1", "D1", "A1"]);
  const marks = marksOf({ moves: new Map(moves.map((m) => [m.move, m])), best: moves[2] }, "b");
  assert.deepEqual([...marks.values()].map((m) => m.kind), ["bad", "guess", "lead", "open", "good"]);
});

test("an estimate never reads as certainty", () => {
  for (const [share, mark, says] of [[1, ">99%", "more than 99%"], [0.995, ">99%", "more than 99%"], [0.994, "99%", "about 99%"], [0.6, "60%", "about 60%"], [0.005, "1%", "about 1%"], [0.004, "<1%", "less than 1%"], [0, "<1%", "less than 1%"]]) {
    const move = { move: "A1", grade: "estimated", win_share: share };
    assert.equal(markOf(move, "b").text, mark.replace(/[<>]/, ""));
    assert.equal(markOf(move, "b").says, says);
    assert.equal(worthSays({ grade: "estimated", share }), `B ${mark}`);
    const a = { moves: new Map([["A1", move]]), best: move, status: "done" };
    assert.equal(verdict({ to_play: "w", legal: ["A1"], over: false }, a), `Not decided yet. White wins ${says} of playouts with A1.`);
  }
});

test("a verdict never looks without an end", () => {
  const position = { to_play: "b", legal: ["A1"], over: false };
  const says = (status, more = {}) => verdict(position, { moves: new Map(), status, ...more });
  assert.equal(says("running"), "Looking …");
  for (const status of ["done", "stopped", "refused"]) assert.equal(says(status), "Not decided.");
  assert.match(says("running", { built: 0.4 }), /40%/);
});

test("errors become what a player can use", () => {
  assert.deepEqual([kindOf(422, "body.moves[1]"), kindOf(422, "body"), kindOf(503, ""), kindOf(429, ""), kindOf(500, ""), kindOf(502, "")], ["input", "limit", "busy", "busy", "broken", "broken"]);
  const problem = { kind: "limit", message: "A 5x5 board has 25 points: tables go to 22.", location: "" };
  for (const wanted of ["moves", "proof", "refute", "play", "review", "learn"]) {
    assert.doesNotMatch(sentence(problem, wanted, "Go 5×5"), /table|memory|GiB|tengen/);
    assert.match(sentence({ ...problem, code: "table" }, wanted, "Go 3×6"), /can do it now/);
  }
  // In English the server's own sentence says most; a code without words leaves it too.
  assert.equal(said({ kind: "input", message: "White may not play A1.", location: "", code: "move", value: "A1" }), "White may not play A1.");
  assert.equal(said({ kind: "input", message: "", location: "", code: "move", value: "A1" }), "A1 cannot be played there.");
  assert.equal(said({ kind: "input", message: "Something new.", location: "", code: "new" }), "Something new.");
});

test("levels say what they are on a board", () => {
  const about = { strengths: [{ level: 5, evaluations: 3, playouts: 90, won: 49, games: 60, slip: 1 }, { level: 10, won: 24, games: 27 }] };
  const nogo = { game: "nogo", players: ["auto", "net"], strongest: "net" };
  assert.equal(meansHere("5", nogo, about), "On this board it looks at 3 positions before a move. Measured on 9×9: 49 of 60 games won against level 4.");
  assert.match(meansHere("5", { ...nogo, players: ["auto", "mcts"] }, about), /thinks for 90 playouts/);
  assert.match(meansHere("10", { ...nogo, strongest: "perfect" }, about), /that is perfect.*24 of 27 games/);
  assert.match(meansHere("10", nogo, about), /On this board that is: Network/);
  assert.equal(meansHere("perfect", nogo, about), "");
  const moves = [2, 2, 1].map((score) => ({ grade: "exact", score }));
  const chosen = slipping(1, moves, "b");
  assert.ok(Math.abs(chosen.best - 2 / (2 + Math.exp(-1))) < 1e-9 && Math.abs(chosen.lost - (1 - chosen.best)) < 1e-9);
  assert.equal(slipping(1, [{ grade: "unknown" }], "b"), undefined);
  assert.match(meansHere("5", { game: "go" }, about, moves), /best move in 84% of the games, and its first move gives away 0.2 points/);
  assert.match(meansHere("5", { game: "go" }, about), /one point worse is played 37% as often/);
});

test("boards have names", () => {
  assert.equal(boardName({ game: "nogo", size: "4x5" }), "NoGo 4×5");
  assert.equal(boardName({ game: "go", rules: "basic", position: "../.." }, "2x2"), "Go 2×2");
  assert.equal(boardName({ game: "go", rules: "psk", size: "4x4" }), "Go 4×4 (Positional superko)");
});

test("what is known of a board, whichever way it lies", () => {
  const cell = (question, more) => ({ row: "", col: "", published: true, question, ...more });
  const answer = { tables: [{ cells: [cell({ game: "nogo", size: "4x5" }, { winner: "black" }), cell({ game: "go", size: "5x5" }, { score: 25 })] }] };
  assert.equal(knownOf({ game: "nogo", size: "5x4" }, answer)?.winner, "black");
  assert.equal(knownOf({ game: "go", rules: "basic", size: "5x5" }, answer)?.score, 25);
  assert.equal(knownOf({ game: "nogo", position: "..../..../..../..../...." }, answer)?.winner, "black");
  for (const q of [{ game: "go", rules: "psk", size: "5x5" }, { game: "nogo", size: "4x5", moves: ["A1"] }, { game: "nogo", position: "x.../..../..../..../...." }, { game: "nogo", size: "4x5", to_play: "w" }])
    assert.equal(knownOf(q, answer), undefined, JSON.stringify(q));
});

test("only opponents that exist are offered", () => {
  const go = choices("go", ["auto"], LEVELS);
  assert.deepEqual(go, { perfect: true, levels: LEVELS.slice(0, 9), programs: [] });
  const large = choices("nogo", ["auto", "net", "mcts", "value", "uct"], LEVELS);
  assert.equal(large.perfect, false);
  assert.equal(settle("perfect", large), "10");
  assert.equal(settle("10", go), "perfect");
  assert.equal(settle("net", go), "9");
  assert.equal(settle("3", large), "3");
  assert.deepEqual(asked("perfect", { game: "go" }, LEVELS), { player: "auto", level: 10 });
  assert.deepEqual(asked("perfect", { game: "nogo" }, LEVELS), { player: "perfect", level: 10 });
  assert.deepEqual(asked("4", { game: "nogo" }, LEVELS), { player: "auto", level: 4 });
  assert.deepEqual(asked("uct", { game: "nogo" }, LEVELS), { player: "uct", level: 10 });
  assert.equal(levelTitle(1, LEVELS), "Level 1 – beginner");
  assert.equal(levelTitle(10, LEVELS), "Level 10 – plays as well as it can");
});

test("a mistake is said in scores and marked on the board", () => {
  const go = { number: 3, colour: "b", move: "A1", best: "C3", before: { grade: "exact", score: 1 }, after: { grade: "exact", score: -16 } };
  assert.equal(mistakeSays(go), "Move 3: Black played A1, and B+1 became W+16. Better was C3.");
  assert.deepEqual([...mistakeMarks(go)].map(([m, { kind }]) => [m, kind]), [["A1", "played"], ["C3", "better"]]);
  const nogo = { ...go, best: undefined, before: { grade: "exact", winner: "black" }, after: { grade: "exact", winner: "white" } };
  assert.equal(mistakeSays(nogo), "Move 3: Black played A1 and gave the win away.");
});

test("events arrive in pieces", () => {
  const whole = 'event: update\r\ndata: {"a":1}\r\n\r\n: a comment\n\nevent: done\ndata: {"a":\ndata: 2}\n\n';
  for (const size of [1, 2, 3, 7, whole.length]) {
    const split = splitter();
    const found = [];
    for (let i = 0; i < whole.length; i += size) found.push(...split(whole.slice(i, i + size)));
    assert.deepEqual(found, [{ event: "update", data: { a: 1 } }, { event: "done", data: { a: 2 } }], `pieces of ${size}`);
  }
});
