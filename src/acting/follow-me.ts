import { loadActing } from './current-user.ts';
import { onChange } from '#src/data/changes.ts';
import { report } from '#src/net/report.ts';
import { actingAtom } from '#src/state/acting.ts';
import { store } from '#src/state/store.ts';
import { enterOrganization } from './organization.ts';

/**
 * The name under which commands say that something about the person changed: name, roles, default organization,
 * preferences.
 */
const ME = 'me';

/**
 * Keeps who acts, and what they may do, as it is on the server. The screen stays as it is, unless the organization is
 * another one.
 */
export function followMe(): () => void {
  return onChange(({ entity }) => {
    if (entity === ME) void renew();
  });
}

export async function renew(): Promise<void> {
  const before = store.get(actingAtom);
  if (!before) return;
  try {
    const { id, impersonating } = before.organization;
    const now = await loadActing(impersonating ? id : undefined);
    // Meanwhile somebody may have turned to another organization, or signed out.
    if (store.get(actingAtom) !== before) return;
    if (now.organization.id === id) store.set(actingAtom, now);
    else enterOrganization(now);
  } catch (error) {
    // What was known stays on the screen; the next call says what is wrong.
    report(error);
  }
}
