import type { AddressInfo } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface MailServer {
  /** For SMTP_URL. */
  readonly port: number;
  readonly got: ParsedMail[];
  close(): void;
}

/** A real mail server on loopback, without TLS and names where the options do not say so. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const got: ParsedMail[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    onData: (stream, _session, done) => {
      simpleParser(stream).then((mail) => {
        got.push(mail);
        done();
      }, done);
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port = 0 }: Partial<AddressInfo> = Object(server.server.address());
  return { port, got, close: () => void server.close() };
}
