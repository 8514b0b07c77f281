import { afterAll, beforeAll, expect, test } from 'vitest';

import { listAll } from '#commands/run/lookup.ts';
import { contextAs, invoke, planLine, type, undo } from '#commands/testkit/server.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { organization as organizationTable } from '#server/db/schema/organization.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { createOrganization } from './create.ts';
import { organization } from './entity.ts';
import { loadLogo } from './logo.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

const CONTACT = "--contact-name 'Ann Ker' --contact-email ann@example.com";
const childIds = async () => {
  const items = await listAll(organization, '', await contextAs(server, 'administrator'));
  return items.map(organization.id);
};

test('creates a sub-organization, and undo deletes it', async () => {
  const administrator = await contextAs(server, 'administrator');
  const run = await type(administrator, `organization create delta-south --name 'Delta South' ${CONTACT} --country nl`);
  expect(await childIds()).toContain('delta-south');
  const [createdItem] = await organization.byIds(administrator, ['delta-south']);
  expect(createdItem?.details).toMatchObject({ displayName: 'Delta South', address: { country: 'NL' } });
  await undo(administrator, run);
  expect(await childIds()).not.toContain('delta-south');
});

test('sets billing details on creation', async () => {
  const administrator = await contextAs(server, 'administrator');
  const billing = "--billing-name 'Golf BV' --billing-street 'Quay 1' --billing-city Delft --billing-country nl";
  await type(administrator, `organization create golf ${CONTACT} --city Leiden ${billing}`);
  const [createdItem] = await organization.byIds(administrator, ['golf']);
  expect(createdItem?.details).toMatchObject({
    address: { city: 'Leiden', lines: [] },
    billingName: 'Golf BV',
    billingAddress: { lines: ['Quay 1'], city: 'Delft', country: 'NL', zipCode: '' },
  });
});

test.each([
  ['Delta South', ['delta-south']],
  ['  Økologi & Ærø — Zürich #2 ', ['okologi-aero-zurich-2']],
  ['_North_', ['north_']],
  ['Nordlys '.repeat(9), [`${'nordlys-'.repeat(7)}nord`]],
  ['delta-south', []],
  ['—', []],
])('suggests an id for the name %s', async (name, expected) => {
  const { id } = createOrganization.params;
  const context = await contextAs(server, 'administrator');
  const suggestions = id?.kind === 'text' ? await id.suggest?.(context, name) : undefined;
  expect(suggestions?.map(({ value }) => value)).toEqual(expected);
});

test('creates a business unless --no-business is given', async () => {
  const administrator = await contextAs(server, 'administrator');
  await type(administrator, `organization create hotel ${CONTACT}`);
  await type(administrator, `organization create india ${CONTACT} --no-business`);
  expect([await isBusiness('hotel'), await isBusiness('india')]).toEqual([true, false]);
});

/** Reads this from the database because no response exposes it. */
async function isBusiness(id: string): Promise<boolean | undefined> {
  const rows = await server.app.db.orm.select().from(organizationTable);
  return rows.find((row) => row.id === id)?.isBusiness;
}

test('validates the id, country, and email address without a request', async () => {
  const administrator = await contextAs(server, 'administrator');
  const expectRejection = (line: string, key: string, param: string) =>
    expect(type(administrator, line)).rejects.toMatchObject({ userMessage: { key }, param });
  await expectRejection(`organization create 'Delta South' ${CONTACT}`, 'organization:validation.id', 'id');
  await expectRejection(
    `organization create delta ${CONTACT} --country Nederland`,
    'organization:validation.country',
    'country',
  );
  const address = "--contact-name Ann --contact-email 'not an address'";
  await expectRejection(`organization create delta ${address}`, 'core:validation.email', 'contactEmail');
});

test('edits one part of an address and keeps the other parts, and undo restores it', async () => {
  const administrator = await contextAs(server, 'administrator');
  await type(administrator, `organization create echo --name Echo ${CONTACT} --street 'Quay 1' --city Delft`);
  const run = await type(administrator, "organization edit '#echo' --city Leiden --contact-phone '+31 6 1'");
  const details = async () => (await organization.byIds(administrator, ['echo']))[0]?.details;
  expect(await details()).toMatchObject({
    address: { lines: ['Quay 1'], city: 'Leiden' },
    contact: { name: 'Ann Ker', phone: '+31 6 1' },
  });
  await undo(administrator, run);
  expect(await details()).toMatchObject({ address: { city: 'Delft' }, contact: { phone: '' } });
});

test("reports the field that exceeds the server's length limit", async () => {
  const administrator = await contextAs(server, 'administrator');
  const plan = (option: string, length: number) =>
    planLine(administrator, `organization edit '#${administrator.organization.id}' --${option} ${'x'.repeat(length)}`);
  for (const [param, option, longest] of [
    ['vatNumber', 'vat-number', MAX_LENGTH.organizationDetail],
    ['billingName', 'billing-name', MAX_LENGTH.organizationName],
  ] as const) {
    expect(await plan(option, longest)).toMatchObject({ count: 1 });
    await expect(plan(option, longest + 1)).rejects.toMatchObject({ param });
  }
});

test('warns about sub-organizations before deleting an organization', async () => {
  const administrator = await contextAs(server, 'administrator');
  await type(administrator, `organization create foxtrot --name Foxtrot ${CONTACT}`);
  await type(await contextAs(server, 'administrator', 'foxtrot'), `organization create foxtrot-north ${CONTACT}`);
  const plan = await planLine(administrator, "organization delete '#foxtrot'");
  expect(plan).toMatchObject({ confirm: 'Foxtrot', reversible: false, notes: [{ values: { count: 1 } }, {}] });
  const deleteOwn = `organization delete '#${administrator.organization.id}'`;
  await expect(planLine(administrator, deleteOwn)).rejects.toMatchObject({
    userMessage: { key: 'organization:validation.own' },
  });
  await type(administrator, "organization delete '#foxtrot'");
  expect(await childIds()).not.toContain('foxtrot-north');
});

test('uploads, shows, and removes a logo', async () => {
  const administrator = await contextAs(server, 'administrator');
  const png = `data:image/png;name=logo.png;base64,${Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64')}`;
  const home = administrator.organization.id;
  const logo = () => loadLogo(administrator, home);
  const setLogo = (file: string) =>
    invoke(administrator, { id: 'organization.edit', args: { organizations: { ids: [home] }, logo: file } });
  const run = await setLogo(png);
  expect(await logo()).toBe('data:image/png;base64,iVBORw0KGgoA');
  expect(run.invocation.args['logo']).toBe('@logo.png');
  await setLogo('');
  expect(await logo()).toBeUndefined();
});

test('reports an invalid creation token on its field', async () => {
  const newcomer = await contextAs(server, 'newcomer');
  const line = `organization create-with-token golf --creation-token nonsense ${CONTACT}`;
  await expect(planLine(newcomer, line)).rejects.toMatchObject({
    userMessage: { key: 'organization:validation.token' },
    param: 'creationToken',
  });
});
