package kvrank.provision;

/** A method and the image, path or {@code host:port} that it uses, if any. */
record SurveyedMethod(MethodStatus status, String subject) {}
