import { useText } from './texts.ts';
import { useServerInfo } from './use-server-info.ts';

/** A link to the unsent emails, if the server has no mail service. */
export function OutboxHint() {
  const t = useText();
  const outbox = useServerInfo()?.signIn.outbox;
  if (!outbox) return null;
  return (
    <p className="text-label text-ink-3">
      {t('outbox.hint')}{' '}
      <a href={outbox} target="_blank" rel="noreferrer" className="text-accent underline underline-offset-2">
        {t('outbox.link')}
      </a>
    </p>
  );
}
