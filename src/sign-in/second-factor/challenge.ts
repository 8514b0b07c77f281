import type { ReactNode } from 'react';

import type { Factor } from '#src/auth/account.ts';

/** What the screens of one factor take. */
export interface ChallengeProps {
  readonly factor: Factor;
  readonly solved: () => Promise<void>;
  /** The choice between factors, where there are several. */
  readonly children: ReactNode;
}
