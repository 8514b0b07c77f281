import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { LONGEST } from '#commands/text/lengths.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, invoke, planOf, type, undo } from '#commands/testkit/server.ts';
import { organization } from './entity.ts';
import { logoOf } from './logo.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

const CONTACT = "--contact-name 'Ann Ker' --contact-email ann@example.com";
const below = async () => {
  const items = await listAll(organization, '', await contextAs(server, 'administrator'));
  return items.map(organization.id);
};

test('a sub-organization is created, listed below, and taken back', async () => {
  const administrator = await contextAs(server, 'administrator');
  const done = await type(
    administrator,
    `organization create delta-south --name 'Delta South' ${CONTACT} --country nl`,
  );
  expect(await below()).toContain('delta-south');
  const [made] = await organization.byIds(administrator, ['delta-south']);
  expect(made?.details).toMatchObject({ displayName: 'Delta South', address: { country: 'NL' } });
  await undo(administrator, done);
  expect(await below()).not.toContain('delta-south');
});

test('who pays, and where the bill goes, can be said when it is created', async () => {
  const administrator = await contextAs(server, 'administrator');
  const billing = "--billing-name 'Golf BV' --billing-street 'Quay 1' --billing-city Delft --billing-country nl";
  await type(administrator, `organization create golf ${CONTACT} --city Leiden ${billing}`);
  const [made] = await organization.byIds(administrator, ['golf']);
  expect(made?.details).toMatchObject({
    address: { city: 'Leiden', lines: [] },
    billingName: 'Golf BV',
    billingAddress: { lines: ['Quay 1'], city: 'Delft', country: 'NL', zipCode: '' },
  });
});

test('what the screen says of an id, an address and a country is said before anything is sent', async () => {
  const administrator = await contextAs(server, 'administrator');
  const refused = (line: string, key: string, param: string) =>
    expect(type(administrator, line)).rejects.toMatchObject({ userMessage: { key }, param });
  await refused(`organization create 'Delta South' ${CONTACT}`, 'organization:validation.id', 'id');
  await refused(
    `organization create delta ${CONTACT} --country Nederland`,
    'organization:validation.country',
    'country',
  );
  const address = "--contact-name Ann --contact-email 'not an address'";
  await refused(`organization create delta ${address}`, 'core:validation.email', 'contactEmail');
});

test('fields are edited one by one and put back, and the rest of an address stays', async () => {
  const administrator = await contextAs(server, 'administrator');
  await type(administrator, `organization create echo --name Echo ${CONTACT} --street 'Quay 1' --city Delft`);
  const done = await type(administrator, "organization edit '#echo' --city Leiden --contact-phone '+31 6 1'");
  const details = async () => (await organization.byIds(administrator, ['echo']))[0]?.details;
  expect(await details()).toMatchObject({
    address: { lines: ['Quay 1'], city: 'Leiden' },
    contact: { name: 'Ann Ker', phone: '+31 6 1' },
  });
  await undo(administrator, done);
  expect(await details()).toMatchObject({ address: { city: 'Delft' }, contact: { phone: '' } });
});

test('a text that the server finds too long is refused beside its field before it is sent', async () => {
  const administrator = await contextAs(server, 'administrator');
  const plan = (option: string, length: number) =>
    planOf(administrator, `organization edit '#${administrator.organization.id}' --${option} ${'x'.repeat(length)}`);
  for (const [param, option, longest] of [
    ['vatNumber', 'vat-number', LONGEST.organizationDetail],
    ['billingName', 'billing-name', LONGEST.organizationName],
  ] as const) {
    expect(await plan(option, longest)).toMatchObject({ count: 1 });
    await expect(plan(option, longest + 1)).rejects.toMatchObject({ param });
  }
});

test('deleting says what goes with it and asks for the name, and one’s own is refused', async () => {
  const administrator = await contextAs(server, 'administrator');
  await type(administrator, `organization create foxtrot --name Foxtrot ${CONTACT}`);
  await type(await contextAs(server, 'administrator', 'foxtrot'), `organization create foxtrot-north ${CONTACT}`);
  const plan = await planOf(administrator, "organization delete '#foxtrot'");
  expect(plan).toMatchObject({ confirm: 'Foxtrot', reversible: false, notes: [{ values: { count: 1 } }, {}] });
  const own = `organization delete '#${administrator.organization.id}'`;
  await expect(planOf(administrator, own)).rejects.toMatchObject({
    userMessage: { key: 'organization:validation.own' },
  });
  await type(administrator, "organization delete '#foxtrot'");
  expect(await below()).not.toContain('foxtrot-north');
});

test('a logo is sent as an image, shown, and taken away', async () => {
  const administrator = await contextAs(server, 'administrator');
  const png = `data:image/png;name=logo.png;base64,${Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64')}`;
  const home = administrator.organization.id;
  const shown = () => logoOf(administrator, home);
  const set = (logo: string) =>
    invoke(administrator, { id: 'organization.edit', args: { organizations: { ids: [home] }, logo } });
  const done = await set(png);
  expect(await shown()).toBe('data:image/png;base64,iVBORw0KGgoA');
  expect(done.invocation.args['logo']).toBe('@logo.png');
  await set('');
  expect(await shown()).toBeUndefined();
});

test('a creation token that is not valid is refused beside its field', async () => {
  const newcomer = await contextAs(server, 'newcomer');
  const line = `organization create-with-token golf --creation-token nonsense ${CONTACT}`;
  await expect(planOf(newcomer, line)).rejects.toMatchObject({
    userMessage: { key: 'organization:validation.token' },
    param: 'creationToken',
  });
});
