import type { CSSProperties } from 'react';
import { cx } from './cx.ts';
import { firstLetter, initials } from './initials.ts';
import { organizationHue } from './org-hue.ts';

/** The square of an organization in its own colour. Decorative: its name stands beside it. */
export function OrganizationAvatar({ id, name, className }: { id: string; name: string; className?: string }) {
  return (
    <span
      aria-hidden
      data-org-hue=""
      style={{ '--org-hue': organizationHue(id) } as CSSProperties}
      className={cx(
        'inline-flex size-5 shrink-0 items-center justify-center rounded-chip bg-org text-label font-semibold text-surface-0',
        className,
      )}
    >
      {firstLetter(name).toUpperCase()}
    </span>
  );
}

/** The disc of a person. `label` is its accessible name; without it the disc is decorative. */
export function UserAvatar({ name, email, label }: { name: string; email: string; label?: string }) {
  return (
    <span
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      className="inline-flex size-6 shrink-0 items-center justify-center rounded-full bg-surface-3 text-label font-medium text-ink-2"
    >
      {initials(name, email)}
    </span>
  );
}
