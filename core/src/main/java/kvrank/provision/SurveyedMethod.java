package kvrank.provision;

/**
 * One method and what it would use.
 *
 * @param status whether it is available
 * @param subject the image, the path of the executable or the native library, or {@code host:port};
 *     empty if there is none
 */
record SurveyedMethod(MethodStatus status, String subject) {}
