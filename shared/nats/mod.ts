/** NATS as the services use it: one connection, streams followed without a gap, publishes with answers. */
export * from "./acked_publisher.ts";
export * from "./audit_stream.ts";
export * from "./boot_number.ts";
export * from "./connect.ts";
export * from "./depth_request.ts";
export * from "./instruments_request.ts";
export * from "./prompt_requests.ts";
export * from "./publish_ack.ts";
export * from "./session_streams.ts";
export * from "./stored_message.ts";
export * from "./stream_reader.ts";
export * from "./streams.ts";
export * from "./venue_reference.ts";
export * from "./watch_status.ts";
