/** The binary encodings between gateway, matcher and market data (docs/wire.md). Pure. */
export * from "./batch_origin.ts";
export * from "./byte_slice.ts";
export * from "./command.ts";
export * from "./command_reader.ts";
export * from "./depth.ts";
export * from "./event.ts";
export * from "./event_reader.ts";
export * from "./event_writer.ts";
export * from "./quote_entry.ts";
