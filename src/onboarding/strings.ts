import { i18n } from '#src/i18n/i18n.ts';
import en from '#src/locales/en/onboarding.json';

// The strings load with these screens because members of an organization rarely need them.
i18n.addResourceBundle('en', 'onboarding', en);
