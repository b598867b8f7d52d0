import { maskAddresses } from '@/lib/text/mask';
import type { KnownSecrets } from '../known-secrets';

interface Init {
  readonly secrets?: KnownSecrets | undefined;
}

/** A title with the session's secrets masked (SN6). */
export function redactedText({ secrets }: Init, title: string): string {
  return maskAddresses(secrets?.redactor.text(title) ?? title);
}

/** An address with the session's secrets masked. */
export function redactedAddress({ secrets }: Init, url: string): string {
  return maskAddresses(secrets?.redactor.address(url) ?? url);
}
