import { expect, test } from 'vitest';

import { parseLine, printLine } from '#commands/line/line.ts';
import { testContext } from '#commands/testkit/context.ts';
import { Value_Type } from '#proto/gen/hiber/value_pb.ts';

import { registry } from './all.ts';

/** For each entity, an item with the properties that its empty tabs need for their commands. */
const ITEMS: Readonly<Record<string, unknown>> = {
  device: { modem: { number: 'CFC3 C7B6' } },
  tag: { tag: { id: 7n } },
  webhook: { webhook: { id: 3n } },
  'process-point': { point: { identifier: 'point-7', devices: [] } },
  role: { identifier: 'viewer' },
  user: { user: { id: 'demo-viewer', email: 'viewer@northwind.example' }, organization: 'northwind' },
  parser: { parser: { identifier: 'parser-7' } },
  field: { identifier: 'field-7', type: Value_Type.ENUM },
  organization: { accessible: { organization: 'northwind' } },
};

const tabs = registry.entities.flatMap((entity) =>
  [...(entity.detailTabs ?? []), ...(entity.itemTabs ?? [])].flatMap((tab) =>
    tab.add ? [{ tab: `${entity.name}.${tab.id}`, add: tab.add(ITEMS[entity.name], testContext()) }] : [],
  ),
);

test('an empty tab offers the command that fills it', () => {
  expect(tabs.map(({ tab, add }) => [tab, add && printLine(add, registry)])).toEqual([
    ['device.messages', "device send-test-message 'CFC3 C7B6'"],
    ['device.notes', "device add-note 'CFC3 C7B6'"],
    ['device.processPoints', "process-point assign 'CFC3 C7B6'"],
    ['device.files', "device attach-file 'CFC3 C7B6'"],
    ['device.parsers', "parser assign 'CFC3 C7B6'"],
    ['device.tags', "tag assign 'CFC3 C7B6'"],
    ['process-point.values', "process-point assign-device '#point-7'"],
    ['process-point.devices', "process-point assign-device '#point-7'"],
    ['process-point.files', "process-point attach-file '#point-7'"],
    ['process-point.tags', "process-point tag '#point-7'"],
    ['tag.parsers', 'parser assign-to-tags 7'],
    ['tag.files', 'tag attach-file 7'],
    ['tag.devices', "tag assign --tag '#7'"],
    ['tag.webhooks', "webhook tag --add '#7'"],
    ['tag.processPoints', "process-point tag --tags '#7'"],
    ['webhook.history', 'webhook test 3'],
    ['parser.devices', "parser assign --parser '#parser-7'"],
    ['parser.tags', "parser assign-to-tags --parser '#parser-7'"],
    ['parser.fields', "field create '#parser-7'"],
    ['field.values', "field add-value '#field-7'"],
    ['user.tokens', 'token create --for-user viewer@northwind.example'],
    ['role.users', 'user add-roles --roles viewer'],
    ['organization.children', 'organization create'],
  ]);
});

test('the offered commands exist and accept the prefilled arguments', () => {
  for (const { add } of tabs) expect(parseLine(printLine(add!, registry), registry).invocation).toEqual(add);
});

test('an empty tab of a foreign item offers no command for this organization', () => {
  const context = testContext({ organization: { ...testContext().organization, id: 'harbor' } });
  const offeredCommands = ['user', 'organization'].flatMap((name) => {
    const { detailTabs = [], itemTabs = [] } = registry.entity(name)!;
    return [...detailTabs, ...itemTabs].flatMap((tab) => tab.add?.(ITEMS[name], context) ?? []);
  });
  expect(offeredCommands).toEqual([]);
});
