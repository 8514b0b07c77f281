import type { ReactNode } from 'react';

import type { Factor } from '#src/auth/account.ts';

/** Props of the screen that asks for one factor. */
export interface ChallengeProps {
  readonly factor: Factor;
  readonly onSolved: () => Promise<void>;
  /** The choice between factors, if there are several. */
  readonly children: ReactNode;
}
