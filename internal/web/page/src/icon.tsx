// The few pictures on buttons, drawn here because fonts differ in what they have.

const SHAPES = {
  first: <><path d="M4 4v12" /><path class="full" d="M16 4 7 10l9 6z" /></>,
  back: <path class="full" d="M14 4 5 10l9 6z" />,
  forward: <path class="full" d="m6 4 9 6-9 6z" />,
  last: <><path d="M16 4v12" /><path class="full" d="m4 4 9 6-9 6z" /></>,
  rotate: <><path d="M16 10a6 6 0 1 1-2-4.5" /><path d="M14.5 2v4h-4" /></>,
  mirror: <><path d="M10 3v14" stroke-dasharray="2 3" /><path d="M7 5v10H2z" /><path class="full" d="M13 5v10h5z" /></>,
  flip: <><path d="M3 10h14" stroke-dasharray="2 3" /><path d="M5 7h10V2z" /><path class="full" d="M5 13h10v5z" /></>,
  swap: <><circle class="full" cx="6" cy="6.5" r="3.5" /><circle cx="14" cy="13.5" r="3.5" /><path d="M12 3.5h3.5V7M8 16.5H4.5V13" /></>,
  auto: <><rect x="2.5" y="3.5" width="15" height="10" rx="1.5" /><path d="M7 17h6M10 13.5V17" /></>,
  light: <><circle cx="10" cy="10" r="3.5" /><path d="M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.4 4.4l1 1M14.6 14.6l1 1M15.6 4.4l-1 1M5.4 14.6l-1 1" /></>,
  dark: <path class="full" d="M16 12.5A7 7 0 0 1 7.5 4a7 7 0 1 0 8.5 8.5z" />,
};

export function Icon({ name }: { name: keyof typeof SHAPES }) {
  return <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">{SHAPES[name]}</svg>;
}
