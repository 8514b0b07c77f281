import { loadActing as load } from '#commands/core/acting';

import type { Acting } from '../state/acting.ts';
import { api } from './transport.ts';

/**
 * Who is signed in, seen from the organization that this tab acts for: the requested one, else the person's default (contract: CurrentUser).
 * @throws ConnectError PERMISSION_DENIED when the requested organization is not the caller's to act for.
 */
export async function loadActing(requested: string | undefined): Promise<Acting> {
  const { actor, organization, settings } = await load(api, requested);
  return { actor, organization, preferences: preferencesOf(settings) };
}

/** The settings are the web client's own JSON; a text that is not an object (another client's) counts as none. */
function preferencesOf(json: string): Acting['preferences'] {
  if (!json) return {};
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Acting['preferences']) : {};
  } catch {
    return {};
  }
}
