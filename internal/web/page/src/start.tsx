// The first page: boards that people know, a game, a lesson.

import { LESSONS } from "./lessons";
import { boardName } from "./judgement";
import { link, PLAY } from "./link";
import { parseDiagram } from "./points";
import { type Question } from "./server";
import { text } from "./strings";

// Small is a board as a picture: lines and stones.
function Small({ diagram }: { diagram: string }) {
  const signs = parseDiagram(diagram);
  const rows = signs.length;
  const cols = signs[0].length;
  return (
    <svg class="sketch" viewBox={`-0.7 -0.7 ${cols + 0.4} ${rows + 0.4}`} aria-hidden="true">
      <rect class="wood" x={-0.7} y={-0.7} width={cols + 0.4} height={rows + 0.4} rx={0.3} />
      {signs.map((_, y) => <line key={y} x1={0} x2={cols - 1} y1={y} y2={y} />)}
      {signs[0].map((_, x) => <line key={x} x1={x} x2={x} y1={0} y2={rows - 1} />)}
      {signs.flatMap((row, y) => row.map((s, x) => s !== 0 && <circle key={`${x}-${y}`} class={s > 0 ? "black" : "white"} cx={x} cy={y} r={0.46} />))}
    </svg>
  );
}

function Card({ href, title, says, diagram }: { href: string; title: string; says: string; diagram: string }) {
  return (
    <a class="card" href={href}>
      <Small diagram={diagram} />
      <span>
        <strong>{title}</strong>
        <span class="dim">{says}</span>
      </span>
    </a>
  );
}

export function Start() {
  const go4: Question = { game: "go", rules: "basic", size: "4x4" };
  const go5: Question = { ...go4, size: "5x5" };
  const nogo5: Question = { game: "nogo", size: "5x5" };
  return (
    <div class="start">
      <h2>{text.startTitle}</h2>
      <p>{text.startSays} {text.startRules}</p>
      <div class="cards">
        <Card href={link("explore", go4)} title={boardName(go4)} says={text.startGo4} diagram="..../.xo./..x./...." />
        <Card href={link("explore", go5)} title={boardName(go5)} says={text.startGo5} diagram="...../...../..x../...../....." />
        <Card href={link("explore", nogo5)} title={boardName(nogo5)} says={text.startNoGo5} diagram="...../.x.../...o./..x../....." />
        <Card href={link("play", PLAY)} title={text.startPlay} says={text.startPlaySays} diagram="......./.x...../....o../......./..x..../.....o./......." />
        <Card href={link("play", go4)} title={text.startPlayGo} says={text.startPlayGoSays} diagram="..../.ox./.xo./...." />
        <Card href={link("learn", LESSONS.opposites)} title={text.startLearn} says={text.startLearnSays} diagram="..xo../..xo../..xo.." />
        <Card href={link("results", nogo5)} title={text.modeNames.results} says={text.startResultsSays} diagram="xo/ox" />
      </div>
    </div>
  );
}
