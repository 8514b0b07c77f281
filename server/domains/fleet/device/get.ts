import { and, eq } from 'drizzle-orm';

import { type GetModemRequest, type Modem, ModemService } from '#proto/gen/hiber/modem_pb.ts';
import type { App } from '#server/app/app.ts';
import { device } from '#server/db/schema/device.ts';
import { organization } from '#server/db/schema/organization.ts';
import { selectedOrganizations } from '#server/domains/people/organization/selection.ts';
import { accessible, accessIn } from '#server/session/access.ts';
import type { Scope } from '#server/session/scope.ts';
import { recordCall } from '#server/session/support-calls.ts';
import { notFound } from '#server/wire/errors.ts';

import { loadDevices } from './model/list.ts';
import { deviceNumber } from './model/number.ts';
import { presentModem, createViewer } from './model/present.ts';
import { type DeviceScope, deviceScope, visibleDevices } from './model/where.ts';
import { withChildren } from './organizations.ts';

/**
 * Finds a device in the caller's organization. The deprecated `child_organizations` also searches the organization's
 * descendants. `in_organizations` takes precedence, and searches every organization that the caller has access to.
 */
export async function getModem(app: App, caller: Scope, request: GetModemRequest): Promise<Modem> {
  const { orm } = app.db;
  const number = deviceNumber(request.modemNumber);
  const searchesAll = request.where.case === 'inOrganizations';
  const { scope, supportOnly } = searchesAll
    ? await searchOrganizations(app, caller, request, number)
    : { scope: await withChildren(orm, caller, request.childOrganizations), supportOnly: undefined };
  const [key] = await orm
    .select({ organization: device.organization, number: device.number })
    .from(device)
    .where(and(visibleDevices(scope), eq(device.number, number)));
  const now = app.now();
  const [loadedDevice] = key ? await loadDevices(orm, scope, [key], now) : [];
  if (!loadedDevice) {
    throw notFound(
      searchesAll
        ? `No organization that you have access to has device ${number}.`
        : `${caller.organization} has no device ${number}.`,
    );
  }
  if (key && supportOnly?.has(key.organization)) await recordSupportCall(app, caller, key.organization);
  return presentModem(loadedDevice, createViewer(app, caller, now));
}

/** Records that support staff viewed the device, in a support session for the device's organization. */
async function recordSupportCall(app: App, { session }: Scope, organizationId: string): Promise<void> {
  const call = await recordCall(
    app,
    { organization: organizationId, userId: session.user.id },
    ModemService.method.get,
    false,
  );
  await call.recordOutcome('ok');
}

interface SearchScope {
  readonly scope: DeviceScope;
  /** The organizations that the caller can access only as support staff. */
  readonly supportOnly: ReadonlySet<string>;
}

/** Finds the selected organizations that have the device and give the caller access to their devices. */
async function searchOrganizations(
  app: App,
  caller: Scope,
  { where }: GetModemRequest,
  number: string,
): Promise<SearchScope> {
  const selection = where.case === 'inOrganizations' ? where.value : undefined;
  const rows = await app.db.orm
    .select({ id: organization.id, path: organization.path })
    .from(device)
    .innerJoin(organization, eq(organization.id, device.organization))
    .where(and(eq(device.number, number), accessible(caller.session), selectedOrganizations(selection)));
  const accessibleRows = rows
    .map(({ id, path }) => ({ id, access: accessIn(caller.session, id, path) }))
    .filter(({ access }) => access.permissions.has('MODEMS'));
  const supportOnly = accessibleRows.filter(({ id, access }) => access.isSupportAccess && id !== caller.organization);
  return {
    scope: { ...deviceScope(caller), organizations: accessibleRows.map(({ id }) => id) },
    supportOnly: new Set(supportOnly.map(({ id }) => id)),
  };
}
