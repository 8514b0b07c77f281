import { and, eq } from 'drizzle-orm';
import { type GetModemRequest, type Modem, ModemService } from '#proto/gen/hiber/modem_pb.ts';
import type { App } from '#server/app/app.ts';
import { device } from '#server/db/schema/device.ts';
import { organization } from '#server/db/schema/organization.ts';
import { accessible, accessIn } from '#server/session/access.ts';
import type { Scope } from '#server/session/scope.ts';
import { recordCall } from '#server/session/visiting.ts';
import { selectedOrganizations } from '#server/domains/people/organization/selection.ts';
import { loadDevices } from './model/list.ts';
import { deviceNumber } from './model/number.ts';
import { type DeviceScope, deviceScope, visibleDevices } from './model/where.ts';
import { notFound } from '#server/wire/errors.ts';
import { presentModem, viewerOf } from './model/present.ts';
import { withChildren } from './organizations.ts';

/**
 * One device, in one organization or wherever the caller may look. The deprecated `child_organizations` widens the one
 * organization to its descendants; `in_organizations` succeeds it and wins.
 */
export async function getModem(app: App, caller: Scope, request: GetModemRequest): Promise<Modem> {
  const { orm } = app.db;
  const number = deviceNumber(request.modemNumber);
  const everywhere = request.where.case === 'inOrganizations';
  const { scope, visited } = everywhere
    ? await searched(app, caller, request, number)
    : { scope: await withChildren(orm, caller, request.childOrganizations), visited: undefined };
  const [found] = await orm
    .select({ organization: device.organization, number: device.number })
    .from(device)
    .where(and(visibleDevices(scope), eq(device.number, number)));
  const now = app.now();
  const [listed] = found ? await loadDevices(orm, scope, [found], now) : [];
  if (!listed) {
    const place = everywhere ? 'None of the organizations that you may look in' : caller.organization;
    throw notFound(`${place} has ${everywhere ? 'a' : 'no'} device ${number}.`);
  }
  if (found && visited?.has(found.organization)) await recordVisit(app, caller, found.organization);
  return presentModem(listed, viewerOf(app, caller, now));
}

/** Support staff find a device wherever it is; seeing it is part of a visit to where it was found. */
async function recordVisit(app: App, { session }: Scope, where: string): Promise<void> {
  const call = await recordCall(app, { organization: where, userId: session.user.id }, ModemService.method.get, false);
  await call.ended('ok');
}

interface Searched {
  readonly scope: DeviceScope;
  /** Those that the caller reaches by customer support alone. */
  readonly visited: ReadonlySet<string>;
}

/** Of the selected organizations that have the device, those that the caller may see devices in. */
async function searched(app: App, caller: Scope, { where }: GetModemRequest, number: string): Promise<Searched> {
  const selection = where.case === 'inOrganizations' ? where.value : undefined;
  const rows = await app.db.orm
    .select({ id: organization.id, path: organization.path })
    .from(device)
    .innerJoin(organization, eq(organization.id, device.organization))
    .where(and(eq(device.number, number), accessible(caller.session), selectedOrganizations(selection)));
  const reached = rows
    .map(({ id, path }) => ({ id, access: accessIn(caller.session, id, path) }))
    .filter(({ access }) => access.permissions.has('MODEMS'));
  const visited = reached.filter(({ id, access }) => access.supporting && id !== caller.organization);
  return {
    scope: { ...deviceScope(caller), organizations: reached.map(({ id }) => id) },
    visited: new Set(visited.map(({ id }) => id)),
  };
}
