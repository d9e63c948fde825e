// Numbers and spans of time as a language writes them.

export interface Units {
  s: string;
  min: string;
  h: string;
  d: string;
}

export interface Chance {
  about(percent: string): string;
  above(percent: string): string;
  below(percent: string): string;
}

const SIGNS: Chance = { about: (p) => p, above: (p) => `>${p}`, below: (p) => `<${p}` };

export function figures(locale: string, units: Units = { s: " s", min: " min", h: " h", d: " d" }) {
  const whole = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
  const share = new Intl.NumberFormat(locale, { style: "percent" });
  const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const { s: second, min: minute, h: hour, d: day } = units;
  return {
    number: (n: number) => whole.format(n),
    count: (n: number) => (n < 1e4 ? whole : short).format(Math.round(n)),
    percent: (part: number) => share.format(part),
    // A share that is an estimate never reads as certainty.
    chance: (part: number, form: Chance = SIGNS) => {
      if (part >= 0.995) return form.above(share.format(0.99));
      if (part < 0.005) return form.below(share.format(0.01));
      return form.about(share.format(part));
    },
    seconds: (s: number) => (s < 10 ? tenths.format(s) : whole.format(Math.round(s))) + second,
    // A span of time in its two largest units.
    span: (seconds: number) => {
      const s = Math.round(seconds);
      if (s < 60) return s + second;
      if (s < 3600) return `${Math.floor(s / 60)}${minute} ${s % 60}${second}`;
      if (s < 86_400) return `${Math.floor(s / 3600)}${hour} ${Math.floor((s % 3600) / 60)}${minute}`;
      return `${whole.format(Math.floor(s / 86_400))}${day} ${Math.floor((s % 86_400) / 3600)}${hour}`;
    },
  };
}
