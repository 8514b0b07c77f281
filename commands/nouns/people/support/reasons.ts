import type { Context } from '#commands/model/context.ts';
import { isUnimplemented } from '#commands/model/errors.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';

/** The number of sessions to load, which is enough to find several distinct reasons. */
const SESSION_COUNT = 50;

/** Suggests the user's recent reasons, newest first, because the next support session is often for the same ticket. */
export async function loadRecentReasons(context: Context, text: string): Promise<readonly Suggestion[]> {
  const query = text.trim().toLocaleLowerCase();
  const reasons = await context.loadCached('support-reasons:all', load);
  return reasons
    .filter((reason) => reason.toLocaleLowerCase().includes(query))
    .map((reason) => ({ value: reason, label: reason }));
}

async function load({ api, actor, signal }: Context): Promise<readonly string[]> {
  try {
    const request = { allOrganizations: true, search: actor.email, pagination: { size: SESSION_COUNT } };
    const { supportSessions } = await api(SupportService).listSupportSessions(request, { signal });
    return [...new Set(supportSessions.flatMap(({ reason }) => reason || []))];
  } catch (error) {
    if (isUnimplemented(error)) return [];
    throw error;
  }
}
