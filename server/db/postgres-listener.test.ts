import pg from 'pg';
import { expect, test } from 'vitest';
import { silentLog } from '../log.ts';
import { PostgresListener } from './postgres-listener.ts';

const url = process.env['TEST_DATABASE_URL'];

test.runIf(url)(
  'after a lost connection, listeners hear that they missed something before they hear anything else',
  async () => {
    const channel = `lost_${process.pid}`;
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    const listener = new PostgresListener(
      () => new pg.Client({ connectionString: url, application_name: channel }),
      silentLog,
    );
    const heard: (number | 'missed')[] = [];
    const receive = (payload: string) => void heard.push(Number(payload));
    await listener.listen(channel, receive, () => heard.push('missed'));
    await listener.listen(`${channel}_b`, receive, () => undefined);
    await listener.listen(`${channel}_c`, receive, () => undefined);

    let sent = 0;
    const deadline = Date.now() + 60_000;
    while (heard.filter((each) => each === 'missed').length < 3 && Date.now() < deadline) {
      if (heard.at(-1) !== 'missed' && sent % 50 === 49) {
        await other.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
          channel,
        ]);
      }
      for (const each of [channel, `${channel}_b`, `${channel}_c`])
        await other.query('select pg_notify($1, $2)', [each, `${sent}`]);
      sent += 1;
    }
    await other.query('select pg_notify($1, $2)', [channel, '-1']);
    await expect.poll(() => heard.at(-1)).toBe(-1);

    expect(heard.filter((each) => each === 'missed').length).toBeGreaterThanOrEqual(3);
    // Every gap in what is heard has a 'missed' in it.
    const gaps = heard.slice(1).filter((each, index) => {
      const before = heard[index];
      return typeof each === 'number' && typeof before === 'number' && each >= 0 && each > before + 1;
    });
    expect(gaps).toEqual([]);
    await listener.close();
    await other.end();
  },
);
