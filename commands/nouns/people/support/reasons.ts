import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';

import type { Context } from '#commands/model/context.ts';
import { isUnimplemented } from '#commands/model/errors.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';

/** Enough to hold the last few reasons, each of which was given for several visits. */
const VISITS = 50;

/** The reasons that this person gave lately, newest first: the next visit is often for the same ticket. */
export async function recentReasons(context: Context, text: string): Promise<readonly Suggestion[]> {
  const wanted = text.trim().toLocaleLowerCase();
  const given = await context.cached('support-session:reasons', load);
  return given
    .filter((reason) => reason.toLocaleLowerCase().includes(wanted))
    .map((reason) => ({ value: reason, label: reason }));
}

async function load({ api, actor, signal }: Context): Promise<readonly string[]> {
  try {
    const request = { allOrganizations: true, search: actor.email, pagination: { size: VISITS } };
    const { visits } = await api(SupportService).listVisits(request, { signal });
    return [...new Set(visits.flatMap(({ reason }) => reason || []))];
  } catch (error) {
    if (isUnimplemented(error)) return [];
    throw error;
  }
}
