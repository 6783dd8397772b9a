/** Splits a stream of text into lines. */

/** Text in any chunks → lines without their line ends; a last line without an end is passed on. */
export class TextLineStream extends TransformStream<string, string> {
  constructor() {
    let rest = "";
    super({
      transform(chunk, controller) {
        const lines = (rest + chunk).split(/\r?\n/);
        rest = lines.pop()!;
        for (const line of lines) controller.enqueue(line);
      },
      flush(controller) {
        if (rest !== "") controller.enqueue(rest);
      },
    });
  }
}
