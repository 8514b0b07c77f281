import { HEIGHT, WIDTH } from './size.ts';

const CELL = 180;
const ROSE = { x: 900, y: 540, radius: 200 } as const;
/** The points of a course across the chart. */
const COURSE = [
  [90, 930],
  [360, 810],
  [585, 765],
  [900, 540],
  [1080, 270],
  [1350, 180],
] as const;

const gridLines = (size: number): readonly number[] =>
  Array.from({ length: size / CELL - 1 }, (_, index) => (index + 1) * CELL);

const pointAt = (degrees: number, distance: number): string => {
  const angle = (degrees * Math.PI) / 180;
  return `${(ROSE.x + Math.sin(angle) * distance).toFixed(1)} ${(ROSE.y - Math.cos(angle) * distance).toFixed(1)}`;
};

/** The ticks of the compass rose. The ticks at every thirty degrees are the longest. */
const ticks = Array.from({ length: 72 }, (_, tick) => {
  const length = tick % 6 === 0 ? 18 : tick % 2 === 0 ? 10 : 5;
  return `M${pointAt(tick * 5, ROSE.radius)}L${pointAt(tick * 5, ROSE.radius - length)}`;
}).join('');

const rhumbs = Array.from(
  { length: 16 },
  (_, line) => `M${pointAt(line * 22.5, 0)}L${pointAt(line * 22.5, 1600)}`,
).join('');

/** Formats minutes of arc, for example as `58°20′`. */
const formatMinutes = (value: number): string => `${Math.floor(value / 60)}°${String(value % 60).padStart(2, '0')}′`;

/** A sea chart: graticule, compass rose with its rhumb lines, and a course. */
export function Chart() {
  return (
    <>
      <path d={rhumbs} stroke="var(--line)" opacity="0.6" />
      <g stroke="var(--line)">
        {gridLines(WIDTH).map((x) => (
          <path key={x} d={`M${x} 0V${HEIGHT}`} />
        ))}
        {gridLines(HEIGHT).map((y) => (
          <path key={y} d={`M0 ${y}H${WIDTH}`} />
        ))}
      </g>
      <g fill="var(--ink-3)" opacity="0.55" fontFamily="var(--font-code)" fontSize="11">
        {gridLines(WIDTH).map((x) => (
          <text key={x} x={x + 6} y={ROSE.y + CELL * 2 + 17}>
            {formatMinutes(210 + x / 6)} E
          </text>
        ))}
        {gridLines(HEIGHT).map((y) => (
          <text key={y} x={CELL + 6} y={y - 8}>
            {formatMinutes(3480 - y / 6)} N
          </text>
        ))}
      </g>
      <g stroke="var(--line-strong)">
        <circle cx={ROSE.x} cy={ROSE.y} r={ROSE.radius} />
        <circle cx={ROSE.x} cy={ROSE.y} r={ROSE.radius - 46} />
        <path d={ticks} />
      </g>
      <path d={`M${COURSE.join('L')}`} stroke="var(--accent)" strokeWidth="1.5" strokeDasharray="7 6" opacity="0.6" />
      <g stroke="var(--accent)" strokeWidth="1.5" fill="var(--surface-0)" opacity="0.8">
        {COURSE.map(([x, y]) => (
          <circle key={x} cx={x} cy={y} r="4" />
        ))}
      </g>
    </>
  );
}
