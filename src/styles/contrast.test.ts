import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { organizationHue } from '#src/ui/org-hue.ts';

type Oklch = [lightness: number, chroma: number, hue: number];
type Theme = 'light' | 'dark';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

/** Returns the value of a token in a theme, read from tokens.css itself. */
function token(name: string, theme: Theme, hue = 0): Oklch {
  const pair = new RegExp(`--${name}: light-dark\\((oklch\\(.+?\\)), (oklch\\(.+\\))\\);`).exec(css);
  const text = (theme === 'light' ? pair?.[1] : pair?.[2])?.replace(/var\(--org-hue.*?\)/, String(hue));
  const numbers = text?.match(/[\d.]+/g)?.map(Number);
  if (!numbers || numbers.length < 3) throw new Error(`tokens.css has no color --${name}`);
  return numbers.slice(0, 3) as Oklch;
}

/** Returns WCAG's relative luminance. Converts OKLCH to linear sRGB after Ottosson, clipping out-of-gamut channels. */
function luminance([lightness, chroma, hue]: Oklch): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (x: number) => Math.min(1, Math.max(0, x));
  return (
    0.2126 * clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) +
    0.7152 * clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) +
    0.0722 * clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  );
}

function contrast(a: Oklch, b: Oklch): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const backgrounds = ['surface-0', 'surface-1', 'surface-2', 'surface-3', 'selected', 'selected-hover'];
const inks = ['ink-1', 'ink-2', 'ink-3', 'accent', 'error-text', 'warning-text', 'ok-text'];
const marks = [
  'health-error',
  'health-warning',
  'health-ok',
  'accent',
  ...[1, 2, 3, 4, 5, 6].map((number) => `series-${number}`),
];

describe.each<Theme>(['light', 'dark'])('%s theme', (theme) => {
  test.each(inks)('has readable %s text on every background', (text) => {
    for (const background of backgrounds) {
      expect(contrast(token(text, theme), token(background, theme)), background).toBeGreaterThanOrEqual(4.5);
    }
  });

  test.each(marks)('distinguishes %s marks from every background', (mark) => {
    for (const background of backgrounds) {
      expect(contrast(token(mark, theme), token(background, theme)), background).toBeGreaterThanOrEqual(3);
    }
  });

  test('distinguishes field borders from form backgrounds', () => {
    for (const background of ['surface-0', 'surface-1', 'surface-2', 'selected']) {
      expect(contrast(token('line-field', theme), token(background, theme)), background).toBeGreaterThanOrEqual(3);
    }
  });

  test('has readable text on the accent', () => {
    expect(contrast(token('on-accent', theme), token('accent', theme))).toBeGreaterThanOrEqual(4.5);
  });

  test('has readable organization names in any hue', () => {
    for (let id = 0; id < 600; id++) {
      const color = token('org', theme, organizationHue(`organization-${id}`));
      for (const background of backgrounds.slice(0, 4)) {
        expect(contrast(color, token(background, theme)), `${id} on ${background}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });
});
