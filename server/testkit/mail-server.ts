import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

export interface ReceivedEmail {
  readonly from: string;
  readonly to: string[];
  /** The headers and body as received. */
  readonly raw: string;
}

/** A local SMTP server that stores the emails it receives. */
export interface TestSmtpServer {
  /** Includes the user name and the password. */
  readonly url: string;
  readonly received: ReceivedEmail[];
  /** Rejects the next recipients instead of accepting the email, with one response for each recipient. */
  rejectNext(...responses: { code: number; text: string }[]): void;
  close(): Promise<void>;
}

export const SMTP_PASSWORD = 'correct-horse-smtp';

export async function startSmtpServer(): Promise<TestSmtpServer> {
  const received: ReceivedEmail[] = [];
  const rejections: { code: number; text: string }[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ password }, _session, done) {
      if (password === SMTP_PASSWORD) done(null, { user: 'quarterdeck' });
      else done(new Error('Wrong password'));
    },
    onRcptTo(_address, _session, done) {
      const rejection = rejections.shift();
      done(rejection && Object.assign(new Error(rejection.text), { responseCode: rejection.code }));
    },
    async onData(stream, { envelope }, done) {
      const raw = await text(stream);
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      received.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw });
      done();
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://quarterdeck:${SMTP_PASSWORD}@127.0.0.1:${port}`,
    received,
    rejectNext: (...responses) => void rejections.push(...responses),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
