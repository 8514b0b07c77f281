import { report } from '#src/net/report.ts';
import { runOwnCommand } from '#src/sign-in/run-own-command.ts';

let isReportPending = false;

/** Notes that a new password was set, to report it after sign-in, which may require a second factor. */
export function notePasswordSet(): void {
  isReportPending = true;
}

/**
 * Reports to the server that the recommended password change is done. A failure is harmless: the password is already
 * set, and the server just recommends the change again.
 */
export async function reportPasswordSet(): Promise<void> {
  if (!isReportPending) return;
  isReportPending = false;
  await runOwnCommand('me.password-changed').catch(report);
}
