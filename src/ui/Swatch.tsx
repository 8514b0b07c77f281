import { isColor } from '#commands/text/color.ts';

import { cx } from './cx.ts';

interface SwatchProps {
  /** As entered by a user. Only a valid color is shown. */
  readonly color: string;
  readonly className?: string;
}

/** A color next to its name, or next to the value that it stands for. Decorative because the text is next to it. */
export function Swatch({ color, className }: SwatchProps) {
  if (!isColor(color)) return null;
  return (
    <span
      aria-hidden
      className={cx('inline-block size-2.5 shrink-0 rounded-[3px] border border-line-strong', className)}
      style={{ background: color.trim() }}
    />
  );
}
