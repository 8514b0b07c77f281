import { encode } from 'uqr';

/** Width of the empty border that the standard requires, in modules. */
const QUIET_ZONE = 4;
/** Size of a module in whole pixels, so all modules look the same size. */
const MODULE_PX = 3;

/**
 * A QR code. The browser generates it, so its content is never sent anywhere. A code on a screen cannot be damaged, so
 * it uses the lowest error correction level, which allows larger modules.
 */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'L', boostEcc: false, border: QUIET_ZONE });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      width={size * MODULE_PX}
      className="self-center rounded-field bg-qr-light text-qr-dark"
    >
      <path fill="currentColor" d={modulesPath(data)} />
    </svg>
  );
}

/** Returns an SVG path with one rectangle for each run of dark modules in a row. */
function modulesPath(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => {
      const starts = [...row.keys()].filter((x) => row[x] && !row[x - 1]);
      return starts.map((x) => {
        const end = row.indexOf(false, x);
        const width = (end === -1 ? row.length : end) - x;
        return `M${x} ${y}h${width}v1h-${width}z`;
      });
    })
    .join('');
}
