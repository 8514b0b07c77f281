import { useState, type CSSProperties } from 'react';

import { cx } from './cx.ts';
import { firstLetter, initials } from './initials.ts';
import { organizationHue } from './org-hue.ts';

interface OrganizationAvatarProps {
  readonly id: string;
  readonly name: string;
  /** URL of the logo. A letter replaces a missing or broken one. */
  readonly logo?: string | undefined;
  readonly className?: string;
}

/** An organization's logo, or its first letter in its own color. Decorative because the name is next to it. */
export function OrganizationAvatar({ id, name, logo, className }: OrganizationAvatarProps) {
  const [brokenLogo, setBrokenLogo] = useState<string>();
  if (logo !== undefined && logo !== brokenLogo) {
    return (
      <img
        alt=""
        src={logo}
        onError={() => setBrokenLogo(logo)}
        className={cx('size-5 shrink-0 rounded-chip object-contain', className)}
      />
    );
  }
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

/** A person's avatar, with their initials. `label` is its accessible name. Without it, the avatar is decorative. */
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
