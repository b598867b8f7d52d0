import { maskAddresses } from '@/lib/text/mask';
import type { KnownSecrets } from '../known-secrets';

/** A title or address as anybody may read it (SN6). */
export function redactedText({ secrets }: { readonly secrets?: KnownSecrets | undefined }, text: string): string {
  return maskAddresses(secrets?.redactor.text(text) ?? text);
}
