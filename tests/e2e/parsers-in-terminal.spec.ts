import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-e2e-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const definition = (type: string): string => `meta:
  id: terminal_level
  endian: be
seq:
  - id: frame
    type: u1
  - id: level
    type: ${type}
`;

/** Writes the definition to a file and returns its path. */
function writeDefinition(type: string): string {
  const path = join(folder, `${type}.ksy`);
  writeFileSync(path, definition(type));
  return path;
}

test.afterEach(async ({ baseURL }) => {
  // Other tests, and a retry, run on the same server.
  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  await quarterdeck(terminal, 'me set-units --pressure AS_SENT');
  await quarterdeck(terminal, 'parser delete terminal_level --yes');
  await quarterdeck(terminal, "tag delete 'Terminal gauges' --yes");
});

test('uploads, tests, and assigns a parser in a terminal', async ({ baseURL }) => {
  // Parses hundreds of messages.
  test.slow();
  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  const run = async (line: string): Promise<string> => {
    const { code, output, errors } = await quarterdeck(terminal, line);
    expect(code, errors).toBe(0);
    return output + errors;
  };

  await test.step('rejects an invalid definition and uploads the corrected one', async () => {
    const rejected = await quarterdeck(terminal, `parser upload --definition '${definition('u3')}'`);
    expect(rejected.code).toBe(2);
    expect(rejected.errors).toMatch(/u3.*Did you mean u1, u2/);
    expect(await run(`parser upload '${writeDefinition('u2')}'`)).toContain('“terminal_level”');
  });

  await test.step('shows the values of pasted bytes', async () => {
    expect(await run('parser test terminal_level 010102')).toMatch(/level +258/);
    const short = await quarterdeck(terminal, 'parser test terminal_level 01');
    expect(short).toMatchObject({ code: 1 });
    expect(short.output + short.errors).toContain('Field level at byte 1: 2 bytes needed, 0 left');
  });

  await test.step('checks a new definition against stored messages before saving it', async () => {
    const check = (type: string) =>
      quarterdeck(
        terminal,
        `parser check '${writeDefinition(type)}' --parser terminal_level --against type:SENSOR --limit 500`,
      );
    const worse = await check('u8');
    expect(worse).toMatchObject({ code: 1 });
    expect(worse.output + worse.errors).toContain('messages would no longer parse');
    const better = await check('u4');
    expect(better, better.errors).toMatchObject({ code: 0 });
    // Other tests send messages that are too short for either definition, which counts as the same result.
    expect(better.output + better.errors).toMatch(/500 messages: (\d same, )?(49\d|500) changed, 0 now failing/);
    await run(`parser edit terminal_level --definition '${definition('u4')}' --yes`);
  });

  await test.step("assigns the parser to a tag and shows new values in the user's unit", async () => {
    await run("field create terminal_level level --display-name 'Terminal level' --unit PRESSURE_BAR");
    await run("tag create 'Terminal gauges' --type site");
    const devices = await run("devices 'pressure lifecycle:INSTALLED sort:-number' --limit 1 --json");
    const [item] = (JSON.parse(devices) as { items: { number: string }[] }).items;
    const number = item?.number ?? '';
    await run(`tag assign '${number}' --tag 'Terminal gauges'`);
    await run("parser assign-to-tags 'Terminal gauges' --parser terminal_level");
    await run('me set-units --pressure PSI');
    await run(`device send-test-message '${number}' 0100000102 --yes`);
    await expect.poll(() => run(`values '${number}' --field 'Terminal level' --from -1h`)).toMatch(/3741\.97\d* +psi/);
  });
});
