import type { Noun } from '#commands/registry/registry.ts';

import { askReason } from './ask-reason.ts';
import { audit } from './audit.ts';
import { issueCreationToken } from './creation-token.ts';
import { actWithReason, allow, extend, readOnly, setReason } from './sessions.ts';

/** Commands for support staff: support sessions and their audit. */
export const noun: Noun = {
  commands: [actWithReason, setReason, allow, readOnly, extend, audit, askReason, issueCreationToken],
};
