package kvrank.provision;

/**
 * One method and its {@code subject}: the image, the path of the executable or library, {@code
 * host:port}, or nothing.
 */
record SurveyedMethod(MethodStatus status, String subject) {}
