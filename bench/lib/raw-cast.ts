import { WebSocket } from 'ws';
import { z } from 'zod';
import { CROWDED_BYTES } from './pages';

const messageSchema = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
});
const frameSchema = z.object({ data: z.string(), sessionId: z.number() });

/** The baseline: a plain CDP script that acknowledges every picture at once. Shares no code with the server. */
export class RawCast {
  /** Number of pictures since the start. */
  pictures = 0;
  #id = 0;
  #sessionId = '';
  readonly #answers = new Map<number, (result: unknown) => void>();
  #onPicture: (picture: Buffer) => void = () => undefined;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data) => this.#message(Buffer.isBuffer(data) ? data.toString() : ''));
  }

  static async start(wsUrl: string, targetId: string): Promise<RawCast> {
    const socket = new WebSocket(wsUrl, { perMessageDeflate: false });
    await new Promise((resolve) => socket.once('open', resolve));
    const cast = new RawCast(socket);
    const attached = await cast.#send('Target.attachToTarget', { targetId, flatten: true });
    cast.#sessionId = z.object({ sessionId: z.string() }).parse(attached).sessionId;
    await cast.#send('Page.startScreencast', { format: 'jpeg', quality: 60, maxWidth: 1280 });
    return cast;
  }

  onPicture(handler: (picture: Buffer) => void): void {
    this.#onPicture = handler;
  }

  /** Milliseconds from sending a press to the picture that shows its effect. */
  press(crowded: boolean): Promise<number> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      this.#onPicture = (picture) => {
        if (picture.length > CROWDED_BYTES === crowded) resolve(performance.now() - startedAt);
      };
      const at = { x: 600, y: 300, button: 'left', clickCount: 1 };
      void this.#send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at });
      void this.#send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at });
    });
  }

  async stop(): Promise<void> {
    await this.#send('Page.stopScreencast', {});
    this.socket.close();
  }

  #send(method: string, params: unknown): Promise<unknown> {
    const id = (this.#id += 1);
    const session = this.#sessionId === '' ? {} : { sessionId: this.#sessionId };
    this.socket.send(JSON.stringify({ id, method, params, ...session }));
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  #message(text: string): void {
    const message = messageSchema.parse(JSON.parse(text));
    if (message.id !== undefined) {
      this.#answers.get(message.id)?.(message.result);
      this.#answers.delete(message.id);
    } else if (message.method === 'Page.screencastFrame') this.#frame(frameSchema.parse(message.params));
  }

  #frame({ data, sessionId }: z.infer<typeof frameSchema>): void {
    void this.#send('Page.screencastFrameAck', { sessionId });
    this.pictures += 1;
    this.#onPicture(Buffer.from(data, 'base64'));
  }
}
