import { report } from '#src/net/report.ts';
import { runOwnCommand } from '#src/sign-in/run-own-command.ts';

let isReportPending = false;

/** Records that a new password was set, to report it after sign-in, which may require a second factor. */
export function recordPasswordSet(): void {
  isReportPending = true;
}

/**
 * Reports to the server that the recommended password change is done. A failure is harmless, because the password is
 * already set. The server just recommends the change again.
 */
export async function reportPasswordSet(): Promise<void> {
  if (!isReportPending) return;
  isReportPending = false;
  await runOwnCommand('me.password-changed').catch(report);
}
