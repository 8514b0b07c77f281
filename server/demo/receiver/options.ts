import { parseArgs } from 'node:util';

export interface ReceiverOptions {
  readonly port: number;
  /** The webhook's secret. If undefined, signatures are not checked. */
  readonly secret: string | undefined;
  /** The header that contains the signature. */
  readonly header: string;
  /** The HTTP status of the responses, to try out failures. */
  readonly status: number;
}

export const RECEIVER_USAGE = `Prints the time, event type, device, and title of each webhook delivery, and whether its signature is valid.

  npm run receiver -- [options]

  --port N        port to listen on (8787)
  --secret TEXT   the webhook's secret, to verify signatures
  --header NAME   header that contains the signature (X-Hub-Signature)
  --status N      HTTP status of the responses (204); use 500 to see the effect of failures
  --help          show this help
`;

/** Thrown for invalid arguments. The message is for the person who typed them. */
export class ReceiverUsageError extends Error {
  override name = 'ReceiverUsageError';
}

/**
 * Reads the command-line options.
 *
 * @throws ReceiverUsageError
 */
export function readReceiverOptions(argv: readonly string[]): ReceiverOptions | 'help' {
  const { port, secret, header, status, help } = parse(argv);
  if (help) return 'help';
  if (secret === '') throw new ReceiverUsageError('--secret is empty. Omit it if the webhook has no secret.');
  return {
    port: parseWholeNumber('--port', port ?? '8787', 0, 65_535),
    secret,
    header: header ?? 'X-Hub-Signature',
    status: parseWholeNumber('--status', status ?? '204', 200, 599),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        port: { type: 'string' },
        secret: { type: 'string' },
        header: { type: 'string' },
        status: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    const [reason] = (error as Error).message.split(/\.\s|\n/);
    throw new ReceiverUsageError(`${reason}. See npm run receiver -- --help.`);
  }
}

function parseWholeNumber(option: string, text: string, min: number, max: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : -1;
  if (number < min || number > max) {
    throw new ReceiverUsageError(`${option} must be a whole number from ${min} to ${max}, not "${text}".`);
  }
  return number;
}
