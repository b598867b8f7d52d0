/** Two tones in hertz, the length of each in seconds, and their gain. */
const TONES = [660, 880] as const;
const TONE_S = 0.16;
const LOUDNESS = 0.12;

/**
 * Plays two short tones, synthesized by the browser. Stays silent where the browser forbids sound before the first
 * press on the page.
 */
export function playChime(): void {
  const audio = new AudioContext();
  const gain = new GainNode(audio, { gain: LOUDNESS });
  gain.connect(audio.destination);
  const last = TONES.map((frequency, index) => {
    const tone = new OscillatorNode(audio, { frequency });
    tone.connect(gain);
    tone.start(audio.currentTime + index * TONE_S);
    tone.stop(audio.currentTime + (index + 1) * TONE_S);
    return tone;
  }).at(-1);
  last?.addEventListener('ended', () => void audio.close());
}
