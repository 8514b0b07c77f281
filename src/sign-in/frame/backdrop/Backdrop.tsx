import { Chart } from './Chart.tsx';
import { Contours } from './Contours.tsx';
import { HEIGHT, WIDTH } from './size.ts';
import { Traces } from './Traces.tsx';

const PICTURES = [Contours, Chart, Traces] as const;

/** One of three pictures, chosen at random when the page loads (spec 9). */
const Picture = PICTURES[Math.floor(Math.random() * PICTURES.length)] ?? Contours;

/** A still picture next to the form, in the theme's hairline colors. Decorative, so hidden from screen readers. */
export function Backdrop() {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      className="hidden min-w-0 flex-1 md:block"
    >
      <Picture />
    </svg>
  );
}
